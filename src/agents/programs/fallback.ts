import { offers, parse } from '../../program/index.ts'
import type { Family, Program, Signature } from '../../program/index.ts'

/** What stands in `Run.fallback` when a question was put to VQA as a whole. */
export const WHOLE_QUESTION = 'VQA on the whole question'

/**
 * The stated way round for families that answer in text about one picture: the whole question to VQA.
 *
 * @returns undefined for families that have none; they fail with the diagnostics
 * @source clova §2, "Repair and fallback"
 */
export function fallbackProgram(
  family: Family,
  signatures: readonly Signature[],
  question: string,
): Program | undefined {
  const [input, second] = family.inputs
  const vqa = signatures.find(({ name }) => name === 'VQA')
  if (family.form !== 'text' || input === undefined || second !== undefined) return undefined
  if (vqa === undefined || !offers(family, vqa)) return undefined
  return parse(
    `ANSWER0=VQA(image=${input.name},question=${quoted(question)})\n${family.resultName}=RESULT(var=ANSWER0)`,
  )
}

/** A text of the language whose characters mean nothing but themselves. */
function quoted(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim().slice(0, 1_900)
  return `"${plain.replace(/[\\"]/g, '\\$&').replaceAll('{', '{{').replaceAll('}', '}}')}"`
}
