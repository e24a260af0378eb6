import { parse, stepsOf } from '../../../program/index.ts'
import type { StepNode } from '../../../program/index.ts'
import type { Action, PythonValue } from '../../../tools/index.ts'
import { SKILL_TOOLS, TELLINGS } from './language.ts'
import type { Telling } from './language.ts'

/** What is to be done for a question: skills stage after stage, then what is told of the last. */
export interface ChatPlan {
  /** Calls of one stage do not depend on each other. */
  readonly stages: readonly (readonly Action[])[]
  readonly telling: Telling
  /** How it was found, for the thoughts. */
  readonly why: string
  readonly confidence: number
  readonly dialogues: readonly string[]
}

/** Skills that work on what the skill before them left. */
const DEPENDENT = new Set(['inpainting', 'controlnet'])

/** The plan that a program of the little language stands for. */
export function planOf(
  program: string,
  question: string,
  found: Pick<ChatPlan, 'why' | 'confidence' | 'dialogues'>,
): ChatPlan {
  const steps = stepsOf(parse(program).body)
  const stages: Action[][] = []
  let telling: Telling = 'text'
  for (const step of steps) {
    telling = TELLINGS[step.tool.name] ?? telling
    const action = actionOf(step, question)
    if (action === undefined) continue
    const last = stages.at(-1)
    if (last === undefined || DEPENDENT.has(action.name)) stages.push([action])
    else last.push(action)
  }
  return { stages, telling, ...found }
}

function actionOf(step: StepNode, question: string): Action | undefined {
  const tool = SKILL_TOOLS[step.tool.name]
  if (tool === undefined) return undefined
  const params = new Map<string, PythonValue>()
  for (const { name, value } of step.args) {
    if (value.type === 'string' && name !== null) params.set(name.name, tidy(value.text))
  }
  // What is asked is the question itself; the recorded dialogue only says which things it names.
  if (tool.skill === 'vqa') params.set('question', question)
  return { name: tool.skill, params }
}

const LEADING =
  /^(?:(?:different|various|several|single|many|more|other|visible|two|three|four|five|each|every|all|any|of|the|a|an)\s+)+/i
const TRAILING =
  /(?:\s+(?:out|away|gone|off|up|please|should|now|too|here|there|alone|only|visible|present|shown|for me|at all|in it))+$/i

/** The things that a text names, without words that only came along with them. */
function tidy(text: string): string {
  const phrases = text
    .split(' . ')
    .map((phrase) => phrase.replace(TRAILING, '').replace(LEADING, '').trim() || phrase)
  return phrases.join(' . ')
}

/** What the plan looks for or works on, as phrases. */
export function thingsOf({ stages }: ChatPlan): readonly string[] {
  return stages.flat().flatMap(({ params }) => {
    const named = params.get('caption') ?? params.get('object')
    return typeof named === 'string' ? named.split(' . ') : []
  })
}
