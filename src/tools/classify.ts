import { toFrame } from '../image/index.ts'
import type { Image, ObjectRecord } from '../image/index.ts'
import type { Notice, ToolResult } from '../program/index.ts'
import { imageArg, objectsArg } from './args.ts'
import type { Backends, Matcher, UnknownWord } from './backends.ts'
import { matchTexts } from './match-texts.ts'
import { normaliseName, splitTexts } from './names.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool, ToolContext } from './tool.ts'
import { unknownWord } from './unavailable.ts'

/**
 * CLASSIFY: gives each object the best of the classes (program-language §8).
 *
 * Two classes or more: of each class only its best object is kept, in the order of the classes. One:
 * every object nearer to it than to a neutral background. A class that no back end knows is told
 * (`N_UNKNOWN_CLASS`) and given to nothing; if none is known, that is `T_UNAVAILABLE`.
 */
export function classify(backends: Backends): Tool {
  return {
    signature: signatureOf('CLASSIFY'),
    run: async (args, context) => {
      const image = imageArg(args)
      const classes = splitTexts(args['categories'])
      const given = toFrame(objectsArg(args, image, context), image)
      const concepts = classes.map(normaliseName)
      if (given.objects.length === 0) return { value: [], notices: given.notices, concepts }
      const scored = await scoreClasses(classes, given.objects, image, { backends, context })
      const value =
        classes.length === 1
          ? nearerThanNothing(given.objects, scored)
          : bestOfEach(given.objects, scored)
      const notices = [...given.notices, ...scored.notices, ...scored.unknown.map(unknownNotice)]
      const { models, prompts } = scored
      return { value, notices, concepts, models, ...(prompts.length === 0 ? {} : { prompts }) }
    },
  }
}

interface Scored extends Pick<Required<ToolResult>, 'models' | 'notices' | 'prompts'> {
  readonly classes: readonly string[]
  /** [class][object]; null where it does not apply. */
  readonly scores: readonly (readonly (number | null)[])[]
  /** The score that a single class must beat, for each object. */
  readonly neutral: readonly number[]
  readonly unknown: readonly UnknownWord[]
}

async function scoreClasses(
  classes: readonly string[],
  objects: readonly ObjectRecord[],
  image: Image,
  { backends, context }: { readonly backends: Backends; readonly context: ToolContext },
): Promise<Scored> {
  const { matches, by, models, uses } = await matchTexts(
    'CLASSIFY',
    backends,
    { image, objects, texts: classes },
    context,
  )
  const unknown = matches.filter((match) => !match.known)
  if (unknown.length === classes.length) throw unknownWord('CLASSIFY', unknown)
  const matcher = by[0]
  return {
    classes,
    scores: matches.map((match) => (match.known ? match.scores : objects.map(() => null))),
    neutral: matcher === undefined ? [] : await neutralScores(matcher, image, objects, context),
    notices: matches.flatMap((match) => (match.known ? match.notices : [])),
    unknown,
    models,
    prompts: uses,
  }
}

async function neutralScores(
  matcher: Matcher,
  image: Image,
  objects: readonly ObjectRecord[],
  context: ToolContext,
): Promise<readonly number[]> {
  const { neutral } = matcher
  if ('score' in neutral) return objects.map(() => neutral.score)
  const [match] = await matcher.match(image, objects, [neutral.text], { signal: context.signal })
  return objects.map((_, o) => (match?.known === true ? match.scores[o] : null) ?? -Infinity)
}

function nearerThanNothing(objects: readonly ObjectRecord[], scored: Scored): ObjectRecord[] {
  return objects.flatMap((object, o) => {
    const score = scored.scores[0]?.[o] ?? null
    const fits = score !== null && score > (scored.neutral[o] ?? -Infinity)
    return fits ? [classified(object, scored.classes[0] ?? '', score)] : []
  })
}

/** Ties: the earlier class, then the earlier object. */
function bestOfEach(objects: readonly ObjectRecord[], scored: Scored): ObjectRecord[] {
  const best = objects.map((_, o) => {
    let at = -1
    scored.scores.forEach((row, c) => {
      const score = row[o] ?? null
      if (score !== null && (at < 0 || score > (scored.scores[at]?.[o] ?? -Infinity))) at = c
    })
    return at
  })
  return scored.classes.flatMap((name, c) => {
    const row = scored.scores[c] ?? []
    let winner = -1
    best.forEach((at, o) => {
      if (at === c && (winner < 0 || (row[o] ?? -Infinity) > (row[winner] ?? -Infinity))) winner = o
    })
    const object = objects[winner]
    return object === undefined ? [] : [classified(object, name, row[winner] ?? 0)]
  })
}

function classified(object: ObjectRecord, name: string, score: number): ObjectRecord {
  return Object.freeze({ ...object, class: name, classScore: Math.round(score * 1000) / 10 })
}

function unknownNotice({ word, would }: UnknownWord): Notice {
  return { code: 'N_UNKNOWN_CLASS', message: `"${word}" cannot be told here. ${would}` }
}
