import { maskToString } from '../../src/image/index.ts'
import type { Lexicon } from '../lexicon.ts'
import type { Stream } from '../stream.ts'
import type { Scene, SceneObject } from '../types.ts'
import { captionOf } from '../caption.ts'
import { TURN_WORDINGS } from './dialogue-wordings.ts'
import type { TurnKind } from './dialogue-wordings.ts'
import { kindsOf } from './knowledge.ts'
import type { DialogueTurn } from './task.ts'
import { fillWording, wordingsOf } from './wording.ts'
import { listed, NUMBER_WORDS, withArticle } from './words.ts'

/** What a turn is about. */
export interface TurnContext {
  readonly lexicon: Lexicon
  readonly stream: Stream
  readonly scene: Scene
  /** The thing that the dialogue began with, and the one that "the other one" means. */
  readonly first: string
  readonly second: string
  /** A thing that is not there. */
  readonly absent: string
  /** What an edit puts there. */
  readonly put: string
  /** Captions of the picture source for a concept. */
  readonly found: (id: string) => readonly { caption: string; similarity: number }[]
}

type Made = Omit<DialogueTurn, 'question'> & { readonly slots: Readonly<Record<string, string>> }

const THRESHOLDS = { box_threshold: 0.3, text_threshold: 0.25 } as const

/** The turn of a kind with its exact result, or nothing where the scene does not fit it. */
export function makeTurn(
  kind: TurnKind,
  context: TurnContext,
  part: 'train' | 'held-out' = 'train',
): DialogueTurn | undefined {
  const made = TURNS[kind](context)
  if (made === undefined) return undefined
  const { slots, ...rest } = made
  const texts = wordingsOf(`dialogue/${kind}`, TURN_WORDINGS[kind])
  const wording = context.stream.pick(texts.filter((one) => one.part === part))
  return { question: fillWording(wording.text, slots), ...rest }
}

const TURNS: { readonly [K in TurnKind]: (context: TurnContext) => Made | undefined } = {
  detect: (context) => detection(context, context.first, 'grounding_dino'),
  segment: (context) => detection(context, context.first, 'grounded_sam'),
  other: (context) => detection(context, context.second, 'grounding_dino'),
  absent: (context) => detection(context, context.absent, 'grounding_dino'),
  semantic: () => ({
    ...call('openseed', {}, 'The whole picture has to be divided into regions.'),
    slots: {},
    result: { message: 'The segmentation of the picture is shown.' },
    answer: 'Here is the picture with every region marked.',
  }),
  point: (context) => {
    const one = objectsOf(context.scene, context.first)[0]
    const point = one && insideOf(one)
    if (one === undefined || point === undefined) return undefined
    const normal = [round(point[0] / context.scene.width), round(point[1] / context.scene.height)]
    return {
      ...call('sam', { points: [normal], point_labels: [1] }, 'The user gives a point.'),
      slots: { point: `[${normal.join(', ')}]` },
      result: { masks_rle: [maskToString(one.mask)], boxes: [boxOf(context.scene, one)] },
      answer: `At that point there is ${nameOf(context, one.concept)}; its mask is shown.`,
    }
  },
  box: (context) => {
    const one = objectsOf(context.scene, context.first)[0]
    if (one === undefined) return undefined
    const box = boxOf(context.scene, one)
    return {
      ...call('sam', { boxes: [box] }, 'The user gives a box.'),
      slots: { box: `[${box.join(', ')}]` },
      result: { masks_rle: [maskToString(one.mask)], boxes: [box] },
      answer: `The box holds ${nameOf(context, one.concept)}; its mask is shown.`,
    }
  },
  tag: (context) => {
    const tags = tagsOf(context)
    return {
      ...call('ram', {}, 'Tags of the whole picture are wanted.'),
      slots: {},
      result: { tags: tags.join(', ') },
      answer: `I see these things: ${listed(tags)}.`,
    }
  },
  caption: (context) => {
    const caption = captionOf(context.lexicon, context.scene)
    return {
      ...call('blip2', {}, 'A caption is wanted.'),
      slots: {},
      result: { caption },
      answer: caption,
    }
  },
  'caption-ground': (context) => {
    const caption = captionOf(context.lexicon, context.scene)
    return {
      ...call('blip2+grounding_dino', THRESHOLDS, 'A caption with positions is wanted.'),
      slots: {},
      result: { caption, ...boxesOf(context, context.scene.objects) },
      answer: `${caption} Each of them is boxed in the picture.`,
    }
  },
  'tag-ground': (context) => {
    const tags = tagsOf(context)
    return {
      ...call('ram+grounding_dino', THRESHOLDS, 'All things are to be named and located.'),
      slots: {},
      result: { tags: tags.join(', '), ...boxesOf(context, context.scene.objects) },
      answer: `I found ${listed(tags)}, each with its box.`,
    }
  },
  retrieve: (context) => {
    const found = context.found(context.first)
    const name = context.lexicon.concept(context.first).label
    return {
      ...call('clip', { prompt: name }, 'Other pictures are to be searched for.'),
      slots: slotsOf(context, context.first),
      result: { retrieval_results: found },
      answer:
        found.length === 0
          ? `The collection has no other picture of ${nameOf(context, context.first)}.`
          : `I found ${found.length} pictures: ${listed(found.map(({ caption }) => caption))}.`,
    }
  },
  edit: (context) => {
    const put = withArticle(context.lexicon.concept(context.put))
    const { label } = context.lexicon.concept(context.first)
    if (objectsOf(context.scene, context.first).length !== 1) return undefined
    return {
      ...call(
        'instruct-pix2pix',
        { prompt: `turn the ${label} into ${put}` },
        'An edit is asked for.',
      ),
      slots: { ...slotsOf(context, context.first), new: put },
      result: { message: 'The edited picture is shown.' },
      answer: `The ${label} has been turned into ${put}.`,
    }
  },
  inpaint: (context) => {
    const { label } = context.lexicon.concept(context.first)
    if (objectsOf(context.scene, context.first).length !== 1) return undefined
    return {
      ...call('inpainting', { prompt: 'background' }, 'A thing is to be removed.'),
      slots: slotsOf(context, context.first),
      result: { message: 'The edited picture is shown.' },
      answer: `The ${label} is gone; the place was filled from its surroundings.`,
    }
  },
  knowledge: (context) => {
    const id = context.first
    const kind = kindsOf(context.lexicon, id)[0]?.words[0]
    if (kind === undefined) return undefined
    const { label } = context.lexicon.concept(id)
    const gloss = context.lexicon.synset(id).gloss.split(';')[0]?.trim() ?? ''
    return {
      ...call('retrieval', { prompt: label }, 'This asks for knowledge beyond the picture.'),
      slots: slotsOf(context, id),
      result: { retrieval_results: [{ caption: `${label}: ${gloss}`, similarity: 1 }] },
      answer: `${capital(nameOf(context, id))} is a kind of ${kind}: ${gloss}.`,
    }
  },
}

/** Finds the objects of a concept; an empty result is an abstention, said as such. */
function detection(context: TurnContext, id: string, skill: string): Made {
  const found = objectsOf(context.scene, id)
  const { label, plural } = context.lexicon.concept(id)
  const masks =
    skill === 'grounded_sam' ? { masks_rle: found.map((one) => maskToString(one.mask)) } : {}
  const number = NUMBER_WORDS[found.length] ?? String(found.length)
  const said = found.length === 1 ? label : plural
  const where = listed(found.map((one) => `[${boxOf(context.scene, one).join(', ')}]`))
  return {
    ...call(skill, { caption: label, ...THRESHOLDS }, `The ${said} have to be found.`),
    slots: id === context.absent ? slotsOf(context, id, '2') : slotsOf(context, id),
    result: { ...boxesOf(context, found), ...masks },
    answer:
      found.length === 0
        ? `I looked for ${nameOf(context, id)}, but there is none in this picture.`
        : `There ${found.length === 1 ? 'is' : 'are'} ${number} ${said}, at ${where}.`,
  }
}

function call(
  skill: string,
  params: Readonly<Record<string, unknown>>,
  thoughts: string,
): Pick<DialogueTurn, 'thoughts' | 'actions' | 'announce'> {
  return {
    thoughts,
    actions: [{ API_name: skill, API_params: params }],
    announce: `I will use ${skill} to help to answer the question. Please wait for a moment.`,
  }
}

function slotsOf({ lexicon }: TurnContext, id: string, n: '' | '2' = ''): Record<string, string> {
  const concept = lexicon.concept(id)
  return {
    [`an${n}`]: withArticle(concept),
    [`the${n}`]: `the ${concept.label}`,
    [`many${n}`]: concept.plural,
    [`name${n}`]: concept.label,
  }
}

function nameOf({ lexicon }: TurnContext, id: string): string {
  return withArticle(lexicon.concept(id))
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function objectsOf(scene: Scene, id: string): readonly SceneObject[] {
  return scene.objects.filter(({ concept }) => concept === id)
}

function tagsOf({ lexicon, scene }: TurnContext): string[] {
  return [...new Set(scene.objects.map(({ concept }) => lexicon.concept(concept).label))]
}

/** Box in shares of the picture, two decimals. */
function boxOf({ width, height }: Scene, { box }: SceneObject): number[] {
  return box.map((edge, i) => round(edge / (i % 2 === 0 ? width : height)))
}

function boxesOf(
  { lexicon, scene }: TurnContext,
  found: readonly SceneObject[],
): Readonly<Record<string, unknown>> {
  return {
    boxes: found.map((one) => boxOf(scene, one)),
    logits: found.map(() => 1),
    phrases: found.map(({ concept }) => lexicon.concept(concept).label),
  }
}

function round(share: number): number {
  return Math.round(share * 100) / 100
}

/** A pixel well inside the visible mask: the middle of its longest column run. */
function insideOf({ mask }: SceneObject): readonly [x: number, y: number] | undefined {
  const height = mask.size[0]
  let [at, best, start] = [0, 0, 0]
  for (const [run, count] of mask.counts.entries()) {
    if (run % 2 === 1 && count > best) [best, start] = [count, at]
    at += count
  }
  const middle = start + (best >> 1)
  return best === 0 ? undefined : [Math.trunc(middle / height), middle % height]
}
