import type { Learnable } from '../tools/index.ts'
import type { QuestionExample } from './tuning/tune-answerer.ts'
import { tuneAnswerer } from './tuning/tune-answerer.ts'
import { tuneDetector } from './tuning/tune-detector.ts'
import { tuneEncoder } from './tuning/tune-encoder.ts'
import { tuneFiller } from './tuning/tune-filler.ts'
import { tuneSegmenter } from './tuning/tune-segmenter.ts'
import type { Tuned, TuningExample, TuningOptions } from './tuning/tuning.ts'

/** What a model learns from. */
export interface TuningData {
  /** Null for questions. */
  readonly concept: string | null
  readonly examples: readonly TuningExample[]
  /** VQA: questions that were answered wrongly, with the right answers. */
  readonly questions?: readonly QuestionExample[]
  /** VQA: stored cases that are answered right. */
  readonly right?: readonly QuestionExample[]
  /** LOC: names that are not in the pictures. */
  readonly absent?: readonly string[]
}

/**
 * Learns prompts for whatever kind of model stands behind a tool, with the sizes, losses, rates and steps of the
 * paper unless others are given.
 *
 * @source clova §4.3
 */
export function tuneTool(
  learnable: Learnable,
  data: TuningData,
  options: TuningOptions = {},
): Promise<Tuned> {
  const { examples, absent = [], questions = [], right = [] } = data
  const concept = data.concept ?? ''
  switch (learnable.kind) {
    case 'encoder':
      return tuneEncoder(learnable, concept, examples, options)
    case 'detector':
      return tuneDetector(learnable, concept, examples, { ...options, absent })
    case 'segmenter':
      return tuneSegmenter(learnable, examples, options)
    case 'answerer':
      return tuneAnswerer(learnable, questions, right, options)
    case 'filler':
      return tuneFiller(learnable, concept, examples, options)
    default:
      return learnable satisfies never
  }
}

/** The model behind a tool for which prompts can be learnt; undefined: examples alone must do. */
export function learnableFor(
  tool: string,
  learnables: readonly Learnable[],
): Learnable | undefined {
  return learnables.find(({ tools }) => tools.includes(tool))
}
