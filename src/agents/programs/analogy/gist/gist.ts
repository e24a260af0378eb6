import { instantiate } from '../instantiate.ts'
import type { Bindings } from '../instantiate.ts'
import type { Program } from '../../../../program/index.ts'
import type { Slot, Template } from '../template.ts'
import type { Token } from '../tokens.ts'
import { lessonsOf } from './lessons.ts'
import type { Lesson, Role, Shape } from './lessons.ts'
import { Softmax } from './softmax.ts'
import { clauseRun, emojiRun, roleFeatures, sentenceFeatures, symbolsOf } from './symbols.ts'
import type { IsKnown, TakenSpan, ThingSpan } from './symbols.ts'
import { ThingFinder } from './things.ts'
import type { Segmentation } from './things.ts'

/** A program by the gist of an instruction. */
export interface Gist {
  readonly program: Program
  /** How much likelier it is than all others, 0..1. */
  readonly chance: number
  /** The demonstrations whose program it is. */
  readonly template: Template
  readonly bindings: Bindings
}

/** What each word that no lesson has leaves of the chance. */
const NEWS = 0.75

/** Fewer words than these beside the things are no instruction. */
const LEAST_TELLING = 1

const EXACTLY: Token = { cls: 'comp', canon: '==', text: 'exactly' }
const CLOSED: readonly Slot['type'][] = ['rel', 'side', 'number', 'comp', 'color', 'conj', 'kind']

/**
 * Reads instructions that lie on no template: which words name things, which program is meant and which
 * thing goes where, each by what the demonstrations have in common.
 */
export class GistReader {
  readonly #shapes: readonly Shape[]
  readonly #isKnown: IsKnown
  readonly #things: ThingFinder
  readonly #shapeModel: Softmax
  readonly #roleModel: Softmax
  readonly #places: ReadonlyMap<string, number>

  constructor(templates: readonly Template[]) {
    const { shapes, lessons } = lessonsOf(templates)
    this.#shapes = shapes
    const frames = frameWords(lessons)
    this.#isKnown = (canon) => frames.has(canon)
    this.#things = new ThingFinder(lessons, shapes, frames)
    this.#shapeModel = new Softmax(
      lessons.flatMap((lesson) =>
        // Once with all its words, once without those that it alone has, as others will see it.
        [1, 2].map((least) => ({
          features: sentenceFeatures(
            symbolsOf(
              lesson.tokens,
              this.#spansOf(lesson),
              (canon) => (frames.get(canon) ?? 0) >= least,
            ),
          ),
          label: lesson.shape,
        })),
      ),
      shapes.length,
    )
    const places = new Map<string, number>()
    const examples = lessons.flatMap(({ tokens, fills, shape }) => {
      const things = fills.filter(({ role }) => shapes[shape]?.roles[role]?.type === 'thing')
      return things.map(({ role }, i) => {
        const place = shapes[shape]?.roles[role]?.place ?? ''
        if (!places.has(place)) places.set(place, places.size)
        const features = roleFeatures(tokens, things, i)
        return { features, label: places.get(place) ?? 0 }
      })
    })
    this.#places = places
    this.#roleModel = new Softmax(examples, places.size)
  }

  #spansOf({ fills, shape }: Lesson): readonly ThingSpan[] {
    const { roles = [] } = this.#shapes[shape] ?? {}
    return fills.filter(({ role }) => roles[role]?.type === 'thing')
  }

  #takenOf({ fills, shape }: Lesson): TakenSpan | undefined {
    for (const { start, end, role } of fills) {
      const type = this.#shapes[shape]?.roles[role]?.type
      if (type === 'emoji' || type === 'clause') return { start, end, type }
    }
    return undefined
  }

  /** The likeliest program, if it is much likelier than any other. */
  read(tokens: readonly Token[]): Gist | undefined {
    if (this.#shapes.length === 0) return undefined
    const runs = [undefined, emojiRun(tokens), clauseRun(tokens)]
    const best = new Map<number, { score: number; bindings: Bindings; news: number }>()
    const ways = runs.flatMap((taken, i) =>
      i > 0 && taken === undefined
        ? []
        : this.#things.segmentations(tokens, taken).map((way) => ({ ...way, taken })),
    )
    for (const way of ways) {
      const symbols = symbolsOf(tokens, way.things, this.#isKnown, way.taken)
      if (telling(symbols) < LEAST_TELLING) continue
      const logs = this.#shapeModel.logs(sentenceFeatures(symbols))
      this.#shapes.forEach((shape, i) => {
        const bound = this.#bind(shape, tokens, way, way.taken)
        if (bound === undefined) return
        const score = (logs[i] as number) + way.score + bound.score
        if (score > (best.get(i)?.score ?? -Infinity)) {
          best.set(i, { score, bindings: bound.bindings, news: news(symbols) })
        }
      })
    }
    const ranked = [...best].toSorted(([, a], [, b]) => b.score - a.score)
    const [first] = ranked
    const shape = first === undefined ? undefined : this.#shapes[first[0]]
    if (first === undefined || shape === undefined) return undefined
    const total = ranked.reduce((sum, [, { score }]) => sum + Math.exp(score - first[1].score), 0)
    return {
      program: instantiate(shape.template, first[1].bindings),
      chance: (1 / total) * NEWS ** first[1].news,
      template: shape.template,
      bindings: first[1].bindings,
    }
  }

  #bind(
    shape: Shape,
    tokens: readonly Token[],
    way: Segmentation,
    taken: TakenSpan | undefined,
  ): { readonly score: number; readonly bindings: Bindings } | undefined {
    const bindings = new Map<number, readonly Token[]>()
    const put = (role: number, list: readonly Token[]): void => {
      const slot = shape.slots[role]
      if (slot !== undefined) bindings.set(slot, list)
    }
    const rolesOf = (type: Slot['type']): readonly number[] =>
      shape.roles.flatMap((role, i) => (role.type === type ? [i] : []))
    for (const type of CLOSED) {
      const free = tokens.filter(
        ({ cls }, at) =>
          cls === type && !way.things.some(({ start, end }) => start <= at && at < end),
      )
      const roles = rolesOf(type)
      if (type === 'comp' && free.length < roles.length) free.push(EXACTLY)
      if (free.length < roles.length) return undefined
      roles.forEach((role, i) => put(role, [free[i] as Token]))
    }
    for (const type of ['emoji', 'clause'] as const) {
      const [role] = rolesOf(type)
      if ((role === undefined) !== (taken?.type !== type)) return undefined
      if (role !== undefined && taken !== undefined) {
        put(role, tokens.slice(taken.start, taken.end))
      }
    }
    const roles = rolesOf('thing')
    const spans = listed(
      tokens,
      way.things,
      roles.length,
      roles.some((i) => shape.roles[i]?.list),
    )
    if (spans === undefined) return undefined
    const { score, order } = this.#assign(shape.roles, roles, tokens, spans)
    order.forEach((role, i) => {
      const span = spans[i]
      if (span !== undefined) put(role, tokens.slice(span.start, span.end))
    })
    return { score, bindings }
  }

  /** Which thing has which role: the likeliest of all ways. */
  #assign(
    all: readonly Role[],
    roles: readonly number[],
    tokens: readonly Token[],
    spans: readonly ThingSpan[],
  ): { readonly score: number; readonly order: readonly number[] } {
    const rows = spans.map((_, i) => {
      const logs = this.#roleModel.logs(roleFeatures(tokens, spans, i))
      return roles.map((role) => logs[this.#places.get(all[role]?.place ?? '') ?? -1] ?? -9)
    })
    const ways = permutations(roles.map((_, i) => i)).map((way) => ({
      way,
      score: way.reduce((sum, role, i) => sum + (rows[i]?.[role] ?? 0), 0),
    }))
    const best = ways.reduce((a, b) => (b.score > a.score ? b : a), {
      way: [] as number[],
      score: -Infinity,
    })
    const total = ways.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0)
    return {
      score: ways.length === 0 ? 0 : -Math.log(total),
      order: best.way.map((i) => roles[i] as number),
    }
  }
}

/** Words that can tell what is meant, each once. */
function telling(symbols: readonly string[]): number {
  return new Set(symbols.filter((symbol) => !TELLS_NOTHING.has(symbol))).size
}

const TELLS_NOTHING: ReadonlySet<string> = new Set(['THING', '?', ',', 'AND', 'OR'])

/** Words that no lesson has, which may change what is meant. */
function news(symbols: readonly string[]): number {
  return symbols.filter((symbol) => symbol === '?').length
}

/** In how many lessons a word stands beside the things. */
function frameWords(lessons: readonly Lesson[]): ReadonlyMap<string, number> {
  const frames = new Map<string, number>()
  for (const { tokens, fills } of lessons) {
    const words = tokens.filter((_, at) => !fills.some(({ start, end }) => start <= at && at < end))
    for (const canon of new Set(words.map((token) => token.canon))) {
      frames.set(canon, (frames.get(canon) ?? 0) + 1)
    }
  }
  return frames
}

/** As many things as there are roles; where one takes a list, things that are listed are one. */
function listed(
  tokens: readonly Token[],
  things: readonly ThingSpan[],
  count: number,
  hasList: boolean,
): readonly ThingSpan[] | undefined {
  if (things.length === count) return things
  if (things.length < count || !hasList) return undefined
  const merged: ThingSpan[] = []
  for (const thing of things) {
    const last = merged.at(-1)
    const between = last === undefined ? [] : tokens.slice(last.end, thing.start)
    const joins = between.every(({ cls }) => cls === 'conj' || cls === 'comma' || cls === 'det')
    if (last !== undefined && joins && between.length > 0) {
      merged[merged.length - 1] = { start: last.start, end: thing.end }
    } else merged.push(thing)
  }
  return merged.length === count ? merged : undefined
}

function permutations(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length === 0) return []
  if (list.length === 1) return [list]
  return list.flatMap((first, i) =>
    permutations(list.toSpliced(i, 1)).map((rest) => [first, ...rest]),
  )
}
