import { hash32 } from '../../base/index.ts'
import { pythonJson } from '../../tools/index.ts'
import type { Dialogue } from './dialogue.ts'
import type { TargetName } from './targets.ts'
import { TARGETS } from './targets.ts'
import { trainingText } from './training-text.ts'

export type Split = 'train' | 'val' | 'test'

/** The split of a dialogue: 8 of 10 for training, by the picture, so that no picture is in two. */
export function splitOf({ image, id }: Pick<Dialogue, 'image' | 'id'>): Split {
  const tenth = hash32(`split ${image ?? id}`) % 10
  return tenth < 8 ? 'train' : tenth === 8 ? 'val' : 'test'
}

/** What a corpus consists of. */
export interface CorpusStatistics {
  readonly dialogues: number
  readonly turns: number
  readonly bySplit: Readonly<Record<Split, number>>
  readonly bySkill: Readonly<Record<string, number>>
  readonly byVariant: Readonly<Record<string, number>>
  readonly bySource: Readonly<Record<string, number>>
  /** Letters of all training texts, and of those that carry loss. */
  readonly letters: number
  readonly learnedLetters: number
}

/** Where a corpus is written: a line to a named file, in order. */
export type CorpusSink = (file: string, text: string) => Promise<void>

/**
 * Writes a stream of dialogues for a trainer, each split to its own file, one dialogue in memory at a
 * time; then the statistics.
 */
export async function writeCorpus(
  dialogues: Iterable<Dialogue> | AsyncIterable<Dialogue>,
  target: TargetName,
  sink: CorpusSink,
): Promise<CorpusStatistics> {
  const { file, write } = TARGETS[target]
  const begun = new Map<Split, number>()
  const count = counting()
  const nameOf = (split: Split): string => `${split}.${file === 'list' ? 'json' : 'jsonl'}`
  for await (const dialogue of dialogues) {
    const split = splitOf(dialogue)
    const before = begun.get(split) ?? 0
    begun.set(split, before + 1)
    const line = pythonJson(write(dialogue))
    const lead = file === 'lines' ? '' : before === 0 ? '[\n' : ',\n'
    await sink(nameOf(split), `${lead}${line}${file === 'lines' ? '\n' : ''}`)
    count.add(dialogue, split)
  }
  if (file === 'list') for (const split of begun.keys()) await sink(nameOf(split), '\n]\n')
  return count.statistics()
}

function counting() {
  const tables = { split: tally(), skill: tally(), variant: tally(), source: tally() }
  let [dialogues, turns, letters, learnedLetters] = [0, 0, 0, 0]
  return {
    add: (dialogue: Dialogue, split: Split): void => {
      dialogues++
      turns += dialogue.turns.length
      tables.split.add(split)
      tables.skill.add(dialogue.skill)
      tables.variant.add(dialogue.variant)
      tables.source.add(dialogue.source)
      const { text, learned } = trainingText(dialogue)
      letters += text.length
      learnedLetters += learned.reduce((sum, { start, end }) => sum + end - start, 0)
    },
    statistics: (): CorpusStatistics => ({
      ...{ dialogues, turns, letters, learnedLetters },
      bySplit: { train: 0, val: 0, test: 0, ...tables.split.counts },
      bySkill: tables.skill.counts,
      byVariant: tables.variant.counts,
      bySource: tables.source.counts,
    }),
  }
}

function tally() {
  const counts: Record<string, number> = {}
  return { counts, add: (key: string): void => void (counts[key] = (counts[key] ?? 0) + 1) }
}
