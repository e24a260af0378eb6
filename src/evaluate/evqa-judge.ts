import { errorData, errorLine } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { inputFault, readJsonLines } from './infoseek.ts'
import type { EvqaRow } from './evqa.ts'
import type { JudgeCall } from './judge.ts'

/** Predictions for E-VQA, which has no file of its own for them: `{"row", "prediction"}`, rows from 0. */
export function readEvqaPredictions(file: string, rows: number): readonly (string | undefined)[] {
  const said: (string | undefined)[] = Array.from({ length: rows })
  for (const { value, line } of readJsonLines(file, 'predictions')) {
    const { row, prediction } = value
    const good = typeof row === 'number' && Number.isInteger(row) && row >= 0 && row < rows
    if (!good || typeof prediction !== 'string') {
      throw inputFault(
        `predictions, line ${line}: row must be 0 to ${rows - 1}, prediction a text`,
        { line },
      )
    }
    if (said[row] !== undefined) {
      throw inputFault(`predictions, line ${line}: row ${row} is given twice`, { line, row })
    }
    said[row] = prediction
  }
  return said
}

export interface EvqaJudged {
  /** Percent of the rows whose judgement came; rows without a prediction are wrong. */
  readonly accuracy: number
  readonly judged: number
  readonly failed: readonly { readonly row: number; readonly reason: string }[]
}

const SYSTEM =
  'You compare an answer with reference answers to a question. Say "yes" when the answer means the same as one of them, else "no". One word.'

/**
 * Whether a language model takes an answer and a reference for the same: the metric `evqa-judge`. It is not BEM,
 * and not to be compared with figures scored by BEM; a judgement that failed is in no mean.
 */
export async function judgeEvqa(
  rows: readonly EvqaRow[],
  predictions: readonly (string | undefined)[],
  { judge, signal }: Abortable & { readonly judge: JudgeCall },
): Promise<EvqaJudged> {
  const failed: { row: number; reason: string }[] = []
  let [right, judged] = [0, 0]
  for (const [row, { question, answer }] of rows.entries()) {
    signal?.throwIfAborted()
    const said = predictions[row]
    if (said === undefined || said.trim() === '') {
      judged++
      continue
    }
    const references = answer.split('|').map((one) => `- ${one.replaceAll('&&', ', ')}`)
    const user = `Question: ${question}\nReferences:\n${references.join('\n')}\nAnswer: ${said.replace(/\s+/g, ' ')}`
    try {
      const call = { system: SYSTEM, user, temperature: 0, maxTokens: 3 }
      const reply = (await judge(call, signal === undefined ? {} : { signal })).trim()
      const verdict = /^(yes|no)\b/i.exec(reply)?.[1]?.toLowerCase()
      if (verdict === undefined) failed.push({ row, reason: 'the judge said neither yes nor no' })
      else {
        judged++
        right += Number(verdict === 'yes')
      }
    } catch (error) {
      signal?.throwIfAborted()
      failed.push({ row, reason: errorLine(errorData(error)) })
    }
  }
  return { accuracy: (100 * right) / Math.max(1, judged), judged, failed }
}
