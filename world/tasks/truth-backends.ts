import { maskIou } from '../../src/image/index.ts'
import type { Image, MaskRle, ObjectRecord } from '../../src/image/index.ts'
import type {
  Backend,
  Backends,
  Detector,
  Filler,
  Match,
  Matcher,
  Segmenter,
  UnknownWord,
  Vocabulary,
} from '../../src/tools/index.ts'
import { captionOf } from '../caption.ts'
import type { Lexicon } from '../lexicon.ts'
import type { Scene, SceneObject } from '../types.ts'
import { find, onlyOne } from './facts.ts'
import { readPhrase } from './phrase.ts'
import type { Phrase } from './phrase.ts'
import { answerFromTruth } from './truth-answerer.ts'
import { listFromTruth } from './truth-lister.ts'
import { fillFromTruth } from './truth-filler.ts'
import type { Fillings } from './truth-filler.ts'
import { inView } from './truth-view.ts'

/** A scene known to the truth by its picture. */
export interface KnownScene {
  readonly graph: Scene
  readonly image: Image
  readonly fillings: Fillings
}

const SELF = (part: string): Backend => ({
  name: `truth/${part}`,
  models: () => [],
  can: ['answers from the scene graph, exactly'],
  cannot: ['pictures that are no scene of the task'],
})

const vocabulary: Vocabulary = {
  words: null,
  read: async (word) => ({ known: true, words: [word], notices: [] }),
}

/** What every back end of the truth looks things up in. */
interface Truth {
  readonly lexicon: Lexicon
  /** @throws RangeError for a picture that is no scene of the task */
  known(image: Image): KnownScene
  /** What of the scene the picture shows. */
  view(image: Image): Scene
}

/**
 * Back ends of the standard tools that read the truth of scenes: reference programs run on them as they
 * would on models, and must give the answer.
 */
export function truthBackends(lexicon: Lexicon, scenes: readonly KnownScene[]): Backends {
  const byOriginal = new Map(scenes.map((one) => [one.image.frame.original, one]))
  const known = (image: Image): KnownScene => {
    const found = byOriginal.get(image.frame.original)
    if (found === undefined) throw new RangeError('The picture is no scene of the task.')
    return found
  }
  const truth: Truth = { lexicon, known, view: (image) => inView(known(image).graph, image) }
  return {
    detectors: [detector(truth)],
    segmenters: [segmenter(truth)],
    matchers: [matcher(truth)],
    answerers: [
      {
        ...SELF('answerer'),
        answer: async (image, question) => answerFromTruth(question, truth.view(image), lexicon),
      },
    ],
    captioners: [
      {
        ...SELF('captioner'),
        caption: async (image) => ({
          text: captionOf(lexicon, truth.view(image)),
          score: 1,
          notices: [],
        }),
      },
    ],
    fillers: [filler(truth)],
    listers: [
      {
        ...SELF('lister'),
        list: async (query, max) => {
          const names = listFromTruth(lexicon, query)
          if (names === undefined) return { known: false, would: 'Ask for kinds of a class.' }
          return { known: true, text: names.slice(0, max).join('\n'), notices: [] }
        },
      },
    ],
  }
}

function unknown(word: string): UnknownWord {
  return { known: false, word, near: [], would: 'Only names of the picture world are known.' }
}

function detector({ lexicon, view }: Truth): Detector {
  return {
    ...SELF('detector'),
    vocabulary,
    threshold: 0.5,
    detect: async (image, word) => {
      const found = matching(lexicon, view(image), readPhrase(lexicon, word))
      if (found === undefined) return unknown(word)
      const findings = found.map(({ box }) => ({ box, score: 1, name: word }))
      return { known: true, findings, notices: [] }
    },
  }
}

function segmenter({ lexicon, view }: Truth): Segmenter {
  return {
    ...SELF('segmenter'),
    vocabulary,
    segment: async (image) => ({
      segments: view(image).objects.map(({ mask, concept }) => ({
        mask,
        label: lexicon.concept(concept).label,
        score: 1,
      })),
      notices: [],
    }),
  }
}

function matcher({ lexicon, view }: Truth): Matcher {
  return {
    ...SELF('matcher'),
    neutral: { score: 0.5 },
    match: async (image, objects, texts) =>
      texts.map((text): Match => {
        const found = matching(lexicon, view(image), readPhrase(lexicon, text))
        if (found === undefined) return unknown(text)
        return { known: true, scores: objects.map((one) => scoreOf(one, found)), notices: [] }
      }),
  }
}

function filler({ known }: Truth): Filler {
  return {
    ...SELF('filler'),
    fills: 'both',
    fill: async (image, mask, { prompt }) => {
      const { graph, fillings } = known(image)
      return fillFromTruth(image, nearestObject(graph, mask), mask, prompt, fillings)
    },
  }
}

function matching(
  lexicon: Lexicon,
  scene: Scene,
  phrase: Phrase | undefined,
): readonly SceneObject[] | undefined {
  if (phrase === undefined) return undefined
  if (phrase.where === undefined) return find(lexicon, scene, phrase.what).found
  const anchor = onlyOne(lexicon, scene, phrase.where.anchor)
  if (anchor === undefined) return []
  return find(lexicon, scene, phrase.what, { relation: phrase.where.relation, anchor }).found
}

/** 1 for the object itself, nothing for others. */
function scoreOf({ box }: ObjectRecord, found: readonly SceneObject[]): number | null {
  return found.some((one) => one.box.every((edge, i) => edge === box[i])) ? 1 : null
}

function nearestObject(scene: Scene, mask: MaskRle): SceneObject | undefined {
  const scored = scene.objects.map((one) => ({ one, share: maskIou(one.mask, mask) }))
  return scored.toSorted((a, b) => b.share - a.share).find(({ share }) => share >= 0.5)?.one
}
