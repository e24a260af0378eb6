import { errorLine } from '../../base/index.ts'
import { resultTurn } from '../../tools/index.ts'
import type { PythonDict, PythonValue, ResultSpelling, SkillReply } from '../../tools/index.ts'
import type { SkillOutcome } from './skill.ts'

/** The code that a failed call of ours has on the wire. */
const FAILED = 50001n

/**
 * The reply of a call as the wire has it. A failure has `error_code` and the reason; ours adds the names
 * of pictures that were made and what was noted, unless only the reference's keys are wanted.
 */
export function outcomeReply(
  outcome: SkillOutcome,
  options: { compat?: boolean } = {},
): SkillReply {
  const { action, result, error, made, repeated } = outcome
  if (result === undefined) {
    const text = error === undefined ? 'The call was stopped.' : errorLine(error)
    return {
      api: action.name,
      reply: entries([
        ['text', text],
        ['error_code', FAILED],
      ]),
    }
  }
  if (options.compat === true) return { api: action.name, reply: result.reply }
  const more: [string, PythonValue][] = [
    ...(made.length === 0 ? [] : [['picture', made.join(', ')] as [string, PythonValue]]),
    ...(result.notes ?? []).slice(0, 1).map((note): [string, PythonValue] => ['note', note]),
    ...(repeated === true ? [['repeated', true] as [string, PythonValue]] : []),
  ]
  const { reply } = result
  const bare = reply.size === 0 && made.length > 0
  const message: [string, PythonValue][] = bare
    ? [['message', `The ${action.name} has processed the image.`]]
    : []
  return { api: action.name, reply: entries([...reply, ...message, ...more]) }
}

function entries(list: readonly (readonly [string, PythonValue])[]): PythonDict {
  return new Map(list)
}

/** The results of a turn as the human turn that carries them back. */
export function outcomesText(
  outcomes: readonly SkillOutcome[],
  question: string,
  options: { readonly compat?: boolean; readonly spelling?: ResultSpelling } = {},
): string {
  const replies = outcomes.map((outcome) => outcomeReply(outcome, options))
  return resultTurn(replies, question, options.spelling)
}
