import { parse, print, stepsOf } from '../../../program/index.ts'
import type { Program, Signature, StepNode } from '../../../program/index.ts'
import { rewrite } from './rewrite.ts'
import { expressionWords } from './sites.ts'

/** What the answer of a program is, as far as its text tells. */
export type ResultKind = 'image' | 'yes-no' | 'truth' | 'number' | 'text'

/** How two programs are joined into one. */
export type Connective = 'and' | 'or' | 'then'

/** The kind of a program's answer; undefined for programs with blocks, which are not joined. */
export function resultKind(
  program: Program,
  signatures: readonly Signature[],
): ResultKind | undefined {
  if (program.body.some((statement) => statement.type !== 'step')) return undefined
  const steps = stepsOf(program.body)
  const last = steps.find((step) => step.name.name === resultOf(steps))
  if (last === undefined) return undefined
  if (last.tool.name === 'EVAL') return expressionKind(last)
  const out = signatures.find(({ name }) => name === last.tool.name)?.out
  if (out === 'image' || out === 'number' || out === 'text') return out
  return undefined
}

function expressionKind(step: StepNode): ResultKind {
  const [value] = step.args.map((arg) => arg.value)
  const list = value?.type === 'string' ? expressionWords(value.text) : []
  const answers = list.filter(({ kind }) => kind === 'text').map(({ text }) => text)
  if (answers.includes('yes') && answers.includes('no')) return 'yes-no'
  if (list.some(({ text }) => text === 'if')) return 'text'
  return list.some(({ kind, text }) => kind === 'operator' || text === 'in' || text === 'not')
    ? 'truth'
    : 'number'
}

function resultOf(steps: readonly StepNode[]): string | undefined {
  const value = steps.at(-1)?.args[0]?.value
  return value?.type === 'name' ? value.name : undefined
}

/**
 * One program out of two: the second works on the picture that the first made, or both answers are joined.
 *
 * Tools that find things go on looking at the picture as it was given; a step that both have is done once.
 *
 * @returns undefined when the answers cannot be joined
 */
export function combine(
  first: Program,
  second: Program,
  connective: Connective,
  signatures: readonly Signature[],
): Program | undefined {
  const kind = resultKind(first, signatures)
  if (kind === undefined || kind !== resultKind(second, signatures)) return undefined
  const before = stepsOf(first.body)
  const a = resultOf(before)
  const used = new Set(before.map((step) => step.name.name))
  const names = new Map<string, string>()
  const renamed = rename(second, (name) => freshName(name, used, names))
  const after = stepsOf(renamed.body)
  const b = resultOf(after)
  if (a === undefined || b === undefined) return undefined
  const chained = kind === 'image' ? chain(renamed, a, signatures) : renamed
  const steps = withoutDoubles([...before.slice(0, -1), ...stepsOf(chained.body).slice(0, -1)])
  const lines = steps.map((step) => print({ ...first, body: [step] }))
  const resultName = before.at(-1)?.name.name ?? 'FINAL_RESULT'
  if (kind === 'image') {
    return parse([...lines, `${resultName}=RESULT(var=${b})`].join('\n'))
  }
  const expression = joined(kind, connective, a, b)
  if (expression === undefined) return undefined
  const name = freshName('ANSWER0', new Set(steps.map((step) => step.name.name)), new Map())
  lines.push(`${name}=EVAL(expr="${expression}")`, `${resultName}=RESULT(var=${name})`)
  return parse(lines.join('\n'))
}

function joined(
  kind: Exclude<ResultKind, 'image'>,
  connective: Connective,
  a: string,
  b: string,
): string | undefined {
  switch (kind) {
    case 'yes-no':
      return connective === 'then' ? undefined : `'yes' if {${a}} ${connective} {${b}} else 'no'`
    case 'truth':
      return connective === 'then' ? undefined : `{${a}} ${connective} {${b}}`
    case 'number':
      return connective === 'and' ? `{${a}} + {${b}}` : undefined
    case 'text':
      return connective === 'and' ? `concat({${a}}, ' and ', {${b}})` : undefined
    default:
      return kind satisfies never
  }
}

/** The opposite of a program that answers yes or no, or true or false. */
export function negate(program: Program, signatures: readonly Signature[]): Program | undefined {
  const kind = resultKind(program, signatures)
  if (kind !== 'yes-no' && kind !== 'truth') return undefined
  const steps = stepsOf(program.body)
  const answer = resultOf(steps)
  const last = steps.at(-1)
  if (answer === undefined || last === undefined) return undefined
  const name = freshName('ANSWER0', new Set(steps.map((step) => step.name.name)), new Map())
  const expression = kind === 'yes-no' ? `'no' if {${answer}} else 'yes'` : `not {${answer}}`
  const lines = steps.slice(0, -1).map((step) => print({ ...program, body: [step] }))
  lines.push(`${name}=EVAL(expr="${expression}")`, `${last.name.name}=RESULT(var=${name})`)
  return parse(lines.join('\n'))
}

/** Steps that make a picture work on the one made before; all others keep the given one. */
function chain(program: Program, picture: string, signatures: readonly Signature[]): Program {
  const steps = stepsOf(program.body)
  const own = new Set(steps.map((step) => step.name.name))
  const makes = (step: StepNode): boolean =>
    signatures.find(({ name }) => name === step.tool.name)?.out === 'image'
  const body = steps.map((step) => {
    if (!makes(step)) return step
    const [changed] = rewrite(
      { ...program, body: [step] },
      {
        value: (node) =>
          node.type === 'name' && node.name === 'IMAGE' && !own.has(node.name)
            ? { ...node, name: picture }
            : node,
      },
    ).body
    return changed ?? step
  })
  return { ...program, body }
}

/** Drops a step that does the same as an earlier one, and lets its users use that one. */
function withoutDoubles(steps: readonly StepNode[]): readonly StepNode[] {
  const seen = new Map<string, string>()
  const instead = new Map<string, string>()
  const kept: StepNode[] = []
  for (const step of steps) {
    const program = rename(asProgram([step]), (name) => instead.get(name) ?? name)
    const [current] = stepsOf(program.body)
    if (current === undefined) continue
    const call = print(program).replace(/^\w+=/, '')
    const known = seen.get(call)
    if (known === undefined) {
      seen.set(call, current.name.name)
      kept.push(current)
    } else instead.set(step.name.name, known)
  }
  return kept
}

function asProgram(body: readonly StepNode[]): Program {
  return { type: 'program', body, diagnostics: [], whole: true }
}

/** A copy of a program with other names for what it assigns and uses, in braces too. */
export function rename(program: Program, to: (name: string) => string): Program {
  const own = new Set(stepsOf(program.body).map((step) => step.name.name))
  const change = (name: string): string => (own.has(name) || !INPUTS.has(name) ? to(name) : name)
  return rewrite(program, {
    assigned: change,
    value: (node) => {
      if (node.type === 'name') return { ...node, name: change(node.name) }
      if (node.type !== 'string') return node
      const text = node.text.replace(
        /(?<!\{)\{\s*([A-Za-z_]\w*)\s*\}/g,
        (_all, name: string) => `{${change(name)}}`,
      )
      return { ...node, text, map: null }
    },
  })
}

const INPUTS = new Set(['IMAGE', 'LEFT', 'RIGHT'])

/** The same name with the next free number. */
function freshName(name: string, used: Set<string>, names: Map<string, string>): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const stem = name.replace(/\d+$/, '')
  let n = 0
  while (used.has(`${stem}${n}`)) n++
  const fresh = used.has(name) || /\d$/.test(name) ? `${stem}${n}` : name
  used.add(fresh)
  names.set(name, fresh)
  return fresh
}
