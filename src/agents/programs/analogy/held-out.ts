import { readFileSync } from 'node:fs'
import { canonicalJson, hash32, isFault } from '../../../base/index.ts'
import { evaluate, parse, stateOf, stepsOf } from '../../../program/index.ts'
import type { Program, StepNode, ValueNode } from '../../../program/index.ts'

/** An instruction that no demonstration has, with the programs that are right for it, or that none is. */
export interface HeldOutCase {
  /**
   * 1 was written before the planner, the others each before the tuning that followed their first
   * measurement. 4 to 6 reword the sentences of the first run.
   */
  readonly set: 1 | 2 | 3 | 4 | 5 | 6
  readonly family: string
  readonly instruction: string
  readonly accept?: readonly string[]
  readonly refuse?: boolean
}

/** Rewordings that the demonstrations do not contain. */
export function heldOutCases(): readonly HeldOutCase[] {
  const text = readFileSync(new URL('./held-out.json', import.meta.url), 'utf8')
  return JSON.parse(text) as HeldOutCase[]
}

const WORLDS = 24

/**
 * True when two programs mean the same: over many made-up worlds they give the same answers.
 *
 * A world lets tools answer by their arguments alone: LOC finds a number of boxes, VQA says a number, a
 * colour or yes; pictures are known by how they were made.
 */
export function sameMeaning(a: string, b: string): boolean {
  const [first, second] = [parse(a), parse(b)]
  for (let world = 0; world < WORLDS; world++) {
    if (canonicalJson(answer(first, world)) !== canonicalJson(answer(second, world))) return false
  }
  return true
}

type Plain = string | number | boolean | null | readonly Plain[]

function answer(program: Program, world: number): unknown {
  const state = new Map<string, Plain>()
  for (const step of stepsOf(program.body)) {
    try {
      state.set(step.name.name, call(step, state, world))
    } catch (error) {
      return isFault(error) ? error.code : 'error'
    }
  }
  return normal([...state.values()].at(-1))
}

/** Yes and no are the same as true and false in an answer. */
function normal(value: Plain | undefined): unknown {
  return value === true ? 'yes' : value === false ? 'no' : value
}

function call(step: StepNode, state: Map<string, Plain>, world: number): Plain {
  const args = step.args.map((arg) => valueOf(arg.value, state))
  const text = (args.slice(1) as Plain[]).map(String).join('|')
  const chance = hash32(`${world}/${canonicalJson(args)}/${text}`)
  switch (step.tool.name) {
    case 'LOC':
      return Array.from({ length: chance % 7 }, (_one, i) => `${canonicalJson(args)}#${i}`)
    case 'COUNT':
      return (args[0] as readonly Plain[]).length
    case 'VQA':
      return spoken(String(args[1]), chance)
    case 'EVAL':
      return evaluate(String(args[0]), stateOf(Object.fromEntries(state))) as Plain
    case 'RESULT':
      return args[0] ?? null
    default:
      return `${step.tool.name}(${canonicalJson(args)})`
  }
}

function spoken(question: string, chance: number): Plain {
  if (question.startsWith('How many')) return String(chance % 8)
  if (question.startsWith('What color')) {
    return ['red', 'green', 'blue', 'yellow', 'white', question][chance % 6] ?? ''
  }
  if (/^(?:Is|Are|Does|Do) /.test(question)) return chance % 2 === 0 ? 'yes' : 'no'
  return `${question} exit stop`
}

function valueOf(node: ValueNode, state: ReadonlyMap<string, Plain>): Plain {
  switch (node.type) {
    case 'name':
      return state.get(node.name) ?? node.name
    case 'string':
      return node.text
    case 'number':
    case 'constant':
      return node.value
    case 'list':
      return node.items.map((item) => valueOf(item, state))
    default:
      return node satisfies never
  }
}
