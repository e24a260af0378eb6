import { bootstrapShares } from './bootstrap.ts'
import type { TagTally, TaskOutcome } from './task-outcome.ts'

/** A share with its 95 % interval, and the share of each draw of scenes. */
export interface Figure {
  readonly value: number
  readonly interval: readonly [low: number, high: number]
  readonly bySeed: readonly number[]
}

/** One line of a report: a family with one kind of concept and wording. */
export interface FigureRow {
  readonly family: string
  readonly concept: 'known' | 'new'
  readonly wording: 'all' | 'train' | 'held-out'
  /** Tasks. */
  readonly n: number
  readonly metric: 'accuracy' | 'F1' | 'judged right'
  readonly strict: Figure
  readonly byClass: Figure
  /** Tagging: boxes alone. */
  readonly located?: Figure
  readonly errors: number
  readonly fallbacks: number
  readonly samePlans: number
}

/** What a task adds to a share: so much of so much. */
type Part = readonly [over: number, under: number]

/** The rows of a report: by family and kind of concept; all wordings first, then each part of them. */
export function figureRows(outcomes: readonly TaskOutcome[]): readonly FigureRow[] {
  const groups = Map.groupBy(outcomes, ({ family, concept }) => `${family} ${concept}`)
  return [...groups.values()].flatMap((group) => {
    const wordings = (['train', 'held-out'] as const).filter((part) =>
      group.some(({ wording }) => wording === part),
    )
    const parts = wordings.length < 2 ? [] : wordings
    return [
      rowOf(group, 'all'),
      ...parts.map((part) =>
        rowOf(
          group.filter(({ wording }) => wording === part),
          part,
        ),
      ),
    ]
  })
}

function rowOf(group: readonly TaskOutcome[], wording: FigureRow['wording']): FigureRow {
  const [first] = group
  const tagging = group.some(({ tags }) => tags !== undefined)
  const metric = tagging ? 'F1' : first?.family === 'imgedit' ? 'judged right' : 'accuracy'
  const of = (kind: 'strict' | 'byClass'): Figure =>
    figure(group, ({ [kind]: right, tags }) =>
      tags === undefined ? [Number(right), 1] : f1Part(tags[kind]),
    )
  return {
    ...{ family: first?.family ?? '', concept: first?.concept ?? 'known', wording, metric },
    ...{ n: group.length, strict: of('strict'), byClass: of('byClass') },
    ...(tagging
      ? { located: figure(group, ({ tags }) => (tags ? f1Part(tags.located) : [0, 0])) }
      : {}),
    errors: group.filter(({ error }) => error !== undefined).length,
    fallbacks: group.filter(({ fallback }) => fallback).length,
    samePlans: group.filter(({ samePlan }) => samePlan).length,
  }
}

/** F1 = 2 hits / (2 hits + misses + surplus), summed over pictures (micro). @source clova §8 */
function f1Part({ hits, misses, surplus }: TagTally): Part {
  return [2 * hits, 2 * hits + misses + surplus]
}

function figure(group: readonly TaskOutcome[], partOf: (one: TaskOutcome) => Part): Figure {
  const parts = group.map(partOf)
  const seeds = [...Map.groupBy(group, ({ seed }) => seed)].toSorted(([a], [b]) => a - b)
  return {
    value: share(parts),
    interval: bootstrapShares(parts),
    bySeed: seeds.map(([, members]) => share(members.map(partOf))),
  }
}

/** Nothing expected and nothing given over the whole set is 1. */
function share(parts: readonly Part[]): number {
  const over = parts.reduce((sum, [part]) => sum + part, 0)
  const under = parts.reduce((sum, [, part]) => sum + part, 0)
  return under === 0 ? 1 : over / under
}
