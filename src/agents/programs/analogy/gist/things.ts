import { isOpen } from '../spans.ts'
import type { Token } from '../tokens.ts'
import { Softmax } from './softmax.ts'
import type { Lesson, Shape } from './lessons.ts'
import { wordFeatures } from './symbols.ts'
import type { IsKnown, ThingSpan } from './symbols.ts'

/** What it costs to tear a new word off the thing beside it. */
const TORN = 1.5

/** A way of telling the things of an instruction from its other words. */
export interface Segmentation {
  readonly things: readonly ThingSpan[]
  /** Logarithm of its chance. */
  readonly score: number
}

/** Tells which words name things, learnt from what the lessons have in their slots. */
export class ThingFinder {
  readonly #model: Softmax
  readonly #isKnown: IsKnown

  /** @param frames  in how many lessons a word stands beside the things */
  constructor(
    lessons: readonly Lesson[],
    shapes: readonly Shape[],
    frames: ReadonlyMap<string, number>,
  ) {
    this.#isKnown = (canon) => frames.has(canon)
    // A word that only this lesson has beside its things is new to all others.
    const isKnown: IsKnown = (canon) => (frames.get(canon) ?? 0) >= 2
    const examples = lessons.flatMap(({ tokens, fills, shape }) =>
      tokens.flatMap((token, at) => {
        if (!isThingWord(tokens, at)) return []
        const fill = fills.find(({ start, end }) => start <= at && at < end)
        const type = fill && shapes[shape]?.roles[fill.role]?.type
        if (type === 'clause' || type === 'emoji') return []
        const label = type === 'thing' ? 1 : 0
        return [{ features: wordFeatures(tokens, at, isKnown), label }]
      }),
    )
    this.#model = new Softmax(examples, 2)
  }

  /** The likeliest ways with a number of things, best first. */
  segmentations(
    tokens: readonly Token[],
    taken: ThingSpan | undefined,
    limit = 24,
  ): readonly Segmentation[] {
    let found: readonly Segmentation[] = [{ things: [], score: 0 }]
    for (const run of openRuns(tokens, taken)) {
      const choices = this.#choices(tokens, run)
      found = found
        .flatMap(({ things, score }) =>
          choices.map((one) => ({
            things: [...things, ...one.things],
            score: score + one.score,
          })),
        )
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit)
    }
    return found
  }

  /** What it costs to leave out a word beside a thing. */
  #torn(tokens: readonly Token[], { start, end }: ThingSpan, at: number): number {
    const token = tokens[at]
    if (at < start || at >= end || token?.cls !== 'word') return 0
    return this.#isKnown(token.canon) ? TORN / 3 : TORN
  }

  /** Nothing of a run, or one stretch of it. */
  #choices(tokens: readonly Token[], run: ThingSpan): readonly Segmentation[] {
    const logs = Array.from({ length: run.end - run.start }, (_, i) =>
      this.#model.logs(wordFeatures(tokens, run.start + i, this.#isKnown)),
    )
    const scoreOf = (start: number, end: number): number =>
      logs.reduce((sum, row, i) => {
        const inside = run.start + i >= start && run.start + i < end
        return sum + (row[inside ? 1 : 0] as number)
      }, 0)
    const choices: Segmentation[] = [{ things: [], score: scoreOf(0, 0) }]
    for (let start = run.start; start < run.end; start++) {
      for (let end = start + 1; end <= run.end; end++) {
        if (!isOpen(tokens[start]) || !isOpen(tokens[end - 1])) continue
        if (tokens[end - 1]?.cls === 'color' && end - start > 1) continue
        const torn = this.#torn(tokens, run, start - 1) + this.#torn(tokens, run, end)
        choices.push({ things: [{ start, end }], score: scoreOf(start, end) - torn })
      }
    }
    return choices.toSorted((a, b) => b.score - a.score).slice(0, 6)
  }
}

/** Can belong to a thing: an open word, or the `of` of `cut of meat`. */
function isThingWord(tokens: readonly Token[], at: number): boolean {
  if (isOpen(tokens[at])) return true
  return tokens[at]?.canon === 'of' && isOpen(tokens[at - 1]) && isOpen(tokens[at + 1])
}

function openRuns(tokens: readonly Token[], taken: ThingSpan | undefined): readonly ThingSpan[] {
  const runs: ThingSpan[] = []
  for (let i = 0; i < tokens.length; i++) {
    let end = i
    const free = (at: number): boolean =>
      isThingWord(tokens, at) && !(taken !== undefined && taken.start <= at && at < taken.end)
    while (end < tokens.length && free(end)) end++
    if (end > i) runs.push({ start: i, end })
    i = Math.max(i, end)
  }
  return runs
}
