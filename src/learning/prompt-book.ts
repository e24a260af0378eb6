import type { Learnt, PromptEntry, PromptHead } from '../memory/index.ts'
import type { LearntPrompts, NearPrompt, PromptAsk } from '../tools/index.ts'
import { normaliseName } from '../tools/index.ts'

/** What of memory the book reads. */
export type PromptSource = Pick<Learnt, 'promptHeads' | 'promptValues' | 'version' | 'lessons'>

/** Prompts mixed for an input, by default, and for VQA's common pool (clova §4.3). */
const NEAREST = 10
const NEAREST_ANSWERS = 20
/** Entries of a concept that take part, the newest first (clova §4.4); the common pool has more. */
const MOST = 200
const MOST_ANSWERS = 2000
/** Numbers kept in memory: 64 MB. */
const MOST_NUMBERS = 16 * 2 ** 20

/**
 * The prompts of this space as tools ask for them: nearest first by cosine, of the concept asked for and of the
 * model that runs, no others.
 *
 * What is read stays in memory until anything is written by any process; numbers of prompts are read when they
 * are first mixed. A concept without prompts costs one look into the version.
 *
 * @source CLOVA §3.4; clova §4.1, §4.4
 */
export function promptBook(source: PromptSource): LearntPrompts {
  let shelf: Shelf | undefined
  const open = async (): Promise<Shelf> => {
    const version = await source.version()
    if (shelf?.version !== version)
      shelf = { version, topics: new Map(), values: shelf?.values ?? new Map() }
    return shelf
  }
  return {
    near: async (ask) => {
      const now = await open()
      const topic = await topicOf(ask, now, source)
      const chosen = nearest(ask, topic)
      const near: NearPrompt[] = []
      for (const { head, weight } of chosen) {
        const values = await valuesOf(head, now, source)
        if (values === undefined) continue
        const { id, lesson, shape, concept } = head
        const version = topic.versions.get(lesson)
        const use = { lesson, concept: concept ?? '', prompt: id, weight }
        near.push({ use: version === undefined ? use : { ...use, version }, weight, values, shape })
      }
      return near
    },
  }
}

interface Shelf {
  readonly version: number
  readonly topics: Map<string, Promise<Topic>>
  /** By id: the numbers of a prompt never change. */
  readonly values: Map<string, Float32Array>
}

/** The prompts of a tool and concept, with their features as rows of one matrix. */
interface Topic {
  readonly heads: readonly PromptHead[]
  /** [heads, width], each row of length one. */
  readonly rows: Float32Array
  readonly width: number
  /** Of lessons. */
  readonly versions: ReadonlyMap<string, number>
}

function topicOf(ask: PromptAsk, shelf: Shelf, source: PromptSource): Promise<Topic> {
  const concept = ask.concept === null ? null : normaliseName(ask.concept)
  const key = `${ask.tool} ${ask.model} ${concept ?? ''}`
  const known = shelf.topics.get(key)
  if (known !== undefined) return known
  const made = readTopic(ask, concept, source)
  shelf.topics.set(key, made)
  made.catch(() => shelf.topics.delete(key))
  return made
}

async function readTopic(
  { tool, model }: PromptAsk,
  concept: string | null,
  source: PromptSource,
): Promise<Topic> {
  const all = await source.promptHeads(tool, concept)
  const own = all.filter((head) => head.model.hash === model)
  const heads = withoutRepeats(own).slice(0, concept === null ? MOST_ANSWERS : MOST)
  const width = heads[0]?.feature.length ?? 0
  const rows = new Float32Array(heads.length * width)
  heads.forEach(({ feature }, i) => rows.set(unitOf(feature), i * width))
  const lessons = heads.length === 0 ? [] : await source.lessons({ tool })
  return { heads, rows, width, versions: new Map(lessons.map(({ id, version }) => [id, version])) }
}

/** Newest first; of what was learnt from the same picture again, only the newest. */
function withoutRepeats(heads: readonly PromptHead[]): readonly PromptHead[] {
  const byPicture = new Map<string, PromptHead[]>()
  return heads.toReversed().filter((head) => {
    if (head.picture === undefined) return true
    const same = byPicture.get(head.picture)
    // One picture has many questions; the feature tells them apart.
    if (same?.some(({ feature }) => isEqual(feature, head.feature)) === true) return false
    if (same === undefined) byPicture.set(head.picture, [head])
    else same.push(head)
    return true
  })
}

function isEqual(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}

function nearest(
  ask: PromptAsk,
  { heads, rows, width }: Topic,
): readonly { readonly head: PromptHead; readonly weight: number }[] {
  if (heads.length === 0 || ask.feature.length !== width) return []
  const feature = unitOf(ask.feature)
  const half = width >> 1
  const most = ask.most ?? (ask.concept === null ? NEAREST_ANSWERS : NEAREST)
  const scored = heads.flatMap((head, i) => {
    const start = i * width
    let [first, second] = [0, 0]
    for (let k = 0; k < half; k++) first += (feature[k] ?? 0) * (rows[start + k] ?? 0)
    for (let k = half; k < width; k++) second += (feature[k] ?? 0) * (rows[start + k] ?? 0)
    const weight = first + second
    // Halves of length one each become 1/√2 in a whole of length one.
    const isNear = ask.halves === undefined || Math.min(first, second) * 2 >= ask.halves
    return weight > 0 && isNear ? [{ head, weight }] : []
  })
  return scored.sort((a, b) => b.weight - a.weight).slice(0, most)
}

async function valuesOf(
  { id }: PromptHead,
  { values }: Shelf,
  source: PromptSource,
): Promise<Float32Array | undefined> {
  const known = values.get(id)
  if (known !== undefined) {
    // Used last, dropped last.
    values.delete(id)
    values.set(id, known)
    return known
  }
  const read = await source.promptValues(id)
  if (read === undefined) return undefined
  values.set(id, read)
  let held = [...values.values()].reduce((sum, one) => sum + one.length, 0)
  for (const [old, one] of values) {
    if (held <= MOST_NUMBERS) break
    values.delete(old)
    held -= one.length
  }
  return read
}

function unitOf(values: Float32Array): Float32Array {
  const length = Math.hypot(...values)
  return length === 0 ? values : values.map((value) => value / length)
}

/** The prompts of a space with others on top that belong to no stored lesson yet, as a dry run wants them. */
export function withPrompts(
  base: PromptSource,
  added: readonly PromptEntry[],
  retired: ReadonlySet<string> = new Set(),
): LearntPrompts {
  const byId = new Map(added.map((one) => [one.id, one]))
  return promptBook({
    promptHeads: async (tool, concept) => [
      ...(await base.promptHeads(tool, concept)).filter(({ lesson }) => !retired.has(lesson)),
      ...added.filter((one) => one.tool === tool && one.concept === concept),
    ],
    promptValues: async (id) => byId.get(id)?.prompt ?? base.promptValues(id),
    version: () => base.version(),
    lessons: (filter) => base.lessons(filter),
  })
}
