import type { Pupil, RunDocument } from '../../../app/index.ts'
import { safeMarkdown } from '../safe-markdown.ts'

type StoredRun = Awaited<ReturnType<Pupil['runs']['get']>>

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
}

/**
 * Tokens that language models were really asked for; a run without any has none.
 *
 * Models that tools asked count under the prompt: a run's cost does not split theirs.
 */
export function usageOf(run: Pick<StoredRun, 'steps' | 'cost'>): Usage {
  const written = run.steps
    .flatMap((step) => ('calls' in step ? step.calls : []))
    .reduce((sum, { cached, usage }) => sum + (cached ? 0 : (usage?.outputTokens ?? 0)), 0)
  const total = Math.max(run.cost.tokens, written)
  return { prompt_tokens: total - written, completion_tokens: written, total_tokens: total }
}

/** The reply in words, with the resulting picture as markdown. */
export function replyText(document: RunDocument, origin: string): string {
  const { answer, tags, image, fallback } = document
  const lines: string[] = []
  if (answer !== undefined) lines.push(safeMarkdown(answer))
  if (tags !== undefined) {
    lines.push(
      tags.length === 0
        ? 'Nothing was found.'
        : tags.map(({ label, box }) => `- ${safeMarkdown(label)} [${box.join(', ')}]`).join('\n'),
    )
  }
  if (image !== undefined) lines.push(`![the picture](${origin}${image})`)
  if (fallback !== undefined) lines.push(`(${fallback})`)
  return lines.length === 0 ? 'Done.' : lines.join('\n\n')
}
