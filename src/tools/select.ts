import { toFrame } from '../image/index.ts'
import type { Image, ObjectRecord } from '../image/index.ts'
import type { ModelStamp, Notice, PromptUse } from '../program/index.ts'
import { imageArg, objectsArg } from './args.ts'
import type { Args } from './args.ts'
import type { Backends } from './backends.ts'
import { matchTexts } from './match-texts.ts'
import { normaliseName, splitTexts } from './names.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool, ToolContext } from './tool.ts'
import { unknownWord } from './unavailable.ts'

/**
 * SELECT: the objects that carry a name of the query, else those that look most like it, one each
 * (program-language §8). No object twice; output in the order of the query.
 */
export function select(backends: Backends): Tool {
  return {
    signature: signatureOf('SELECT'),
    run: async (args, context) => {
      const image = imageArg(args)
      const items = splitTexts(args['query'])
      const given = toFrame(objectsArg(args, image, context), image)
      const { candidates, byName } = candidatesOf(args, given.objects)
      const taken = byName ? takeByName(items, candidates) : new Map<number, ObjectRecord[]>()
      const paired = await pairBySimilarity({ items, candidates, taken, image }, backends, context)
      const value = items.flatMap((_, i) => taken.get(i) ?? [])
      return {
        value,
        notices: [...given.notices, ...paired.notices, ...shortNotices(items, taken, value)],
        concepts: items.map(normaliseName),
        models: paired.models,
        ...(paired.uses.length === 0 ? {} : { prompts: paired.uses }),
      }
    },
  }
}

function candidatesOf(
  args: Args,
  objects: readonly ObjectRecord[],
): { readonly candidates: readonly ObjectRecord[]; readonly byName: boolean } {
  const category = args['category']
  if (category === null || category === undefined) return { candidates: objects, byName: true }
  const wanted = new Set(splitTexts(category).map(normaliseName))
  const candidates = objects.filter((one) => namesOf(one).some((name) => wanted.has(name)))
  return { candidates, byName: false }
}

/** The normalised names that an object carries. */
function namesOf(one: ObjectRecord): readonly string[] {
  return [one.category, one.class, one.label]
    .filter((name) => name !== undefined)
    .map(normaliseName)
}

function takeByName(
  items: readonly string[],
  candidates: readonly ObjectRecord[],
): Map<number, ObjectRecord[]> {
  const taken = new Map<number, ObjectRecord[]>()
  const used = new Set<ObjectRecord>()
  items.forEach((item, i) => {
    const name = normaliseName(item)
    const named = candidates.filter((one) => !used.has(one) && namesOf(one).includes(name))
    for (const one of named) used.add(one)
    if (named.length > 0) taken.set(i, named)
  })
  return taken
}

interface Paired {
  readonly notices: readonly Notice[]
  readonly models: readonly ModelStamp[]
  readonly uses: readonly PromptUse[]
}

interface Pairing {
  readonly items: readonly string[]
  readonly candidates: readonly ObjectRecord[]
  /** Filled in. */
  readonly taken: Map<number, ObjectRecord[]>
  readonly image: Image
}

/** Pairs items without objects with objects not yet taken, best similarity first. */
async function pairBySimilarity(
  { items, candidates, taken, image }: Pairing,
  backends: Backends,
  context: ToolContext,
): Promise<Paired> {
  const used = new Set([...taken.values()].flat())
  const free = candidates.filter((one) => !used.has(one))
  const open = items.flatMap((_, i) => (taken.has(i) ? [] : [i]))
  if (free.length === 0 || open.length === 0) return { notices: [], models: [], uses: [] }
  const texts = open.map((i) => items[i] ?? '')
  const { matches, models, uses } = await matchTexts(
    'SELECT',
    backends,
    { image, objects: free, texts },
    context,
  )
  const pairs = matches.flatMap((match, m) => {
    if (!match.known) throw unknownWord('SELECT', [match])
    return match.scores.flatMap((score, o) => (score === null ? [] : [{ m, o, score }]))
  })
  const takenObjects = new Set<number>()
  for (const { m, o } of pairs.toSorted((a, b) => b.score - a.score || a.m - b.m || a.o - b.o)) {
    const item = open[m] ?? -1
    const object = free[o]
    if (object === undefined || taken.has(item) || takenObjects.has(o)) continue
    takenObjects.add(o)
    taken.set(item, [object])
  }
  const notices = matches.flatMap((match) => (match.known ? match.notices : []))
  return { notices, models, uses }
}

function shortNotices(
  items: readonly string[],
  taken: ReadonlyMap<number, readonly ObjectRecord[]>,
  value: readonly ObjectRecord[],
): Notice[] {
  const without = items.filter((_, i) => !taken.has(i)).map((item) => `"${item}"`)
  if (value.length === 0) {
    return [
      { code: 'N_EMPTY_SELECTION', message: `No object matches ${without.join(', ') || 'it'}.` },
    ]
  }
  if (without.length === 0) return []
  return [{ code: 'N_SHORT_SELECTION', message: `Nothing was left for ${without.join(', ')}.` }]
}
