import { stepKey } from './record.ts'
import type { CallStep } from './step.ts'
import type { Program, Statement, StepNode } from './syntax.ts'
import { printValue } from './print.ts'

/** A line of the rationale: a step that ran, one that did not, or the head of a block. */
export type Row =
  | { readonly type: 'step'; readonly step: CallStep; readonly depth: number }
  | { readonly type: 'unrun'; readonly node: StepNode; readonly depth: number; readonly why: Why }
  | { readonly type: 'block'; readonly text: string; readonly depth: number }

/** Why a step of the text has no trace: its arm or loop was passed over, or the run ended before. */
export type Why = 'passed' | 'ended'

type Draft = Exclude<Row, { type: 'unrun' }> | { type: 'unrun'; node: StepNode; depth: number }

/** The program's steps in the order of its text, a fragment for each iteration. */
export function rationaleRows(
  program: Program,
  steps: readonly CallStep[],
  finished: boolean,
): readonly Row[] {
  const done = new Map(steps.map((step) => [stepKey(step.step, step.path), step]))
  const rows: Draft[] = []
  visit(program.body, [], 0)
  const lastRun = finished ? Infinity : rows.findLastIndex((row) => row.type === 'step')
  return rows.map((row, i): Row => {
    return row.type === 'unrun' ? { ...row, why: i > lastRun ? 'ended' : 'passed' } : row
  })

  function visit(body: readonly Statement[], path: CallStep['path'], depth: number): void {
    for (const statement of body) {
      if (statement.type === 'step') visitStep(statement, path, depth)
      else if (statement.type === 'if') {
        statement.arms.forEach((arm, i) => {
          const word = arm.condition === null ? 'else' : i === 0 ? 'if' : 'elif'
          const text = arm.condition === null ? word : `${word} ${printValue(arm.condition)}`
          rows.push({ type: 'block', text, depth })
          visit(arm.body, path, depth + 1)
        })
      } else if (statement.type === 'for') {
        const loop = statement.item.name
        const count = iterations(steps, path, loop, statement.body)
        const head = `for ${loop} in ${statement.list.name}`
        if (count === 0) {
          rows.push({ type: 'block', text: head, depth })
          visit(statement.body, [...path, { loop, item: 0 }], depth + 1)
        }
        for (let item = 0; item < count; item++) {
          rows.push({ type: 'block', text: `${head}: item ${item + 1} of ${count}`, depth })
          visit(statement.body, [...path, { loop, item }], depth + 1)
        }
      }
    }
  }

  function visitStep(node: StepNode, path: CallStep['path'], depth: number): void {
    const step = done.get(stepKey(node.number, path))
    rows.push(step === undefined ? { type: 'unrun', node, depth } : { type: 'step', step, depth })
  }
}

/** How often a loop went round, as far as its steps tell. */
function iterations(
  steps: readonly CallStep[],
  path: CallStep['path'],
  loop: string,
  body: readonly Statement[],
): number {
  const numbers = new Set(numbersIn(body))
  const items = steps
    .filter((step) => numbers.has(step.step))
    .filter((step) => path.every((part, i) => step.path[i]?.item === part.item))
    .flatMap((step) => {
      const here = step.path[path.length]
      return here?.loop === loop ? [here.item + 1] : []
    })
  return Math.max(0, ...items)
}

function numbersIn(body: readonly Statement[]): number[] {
  return body.flatMap((statement): number[] => {
    if (statement.type === 'step') return [statement.number]
    if (statement.type === 'for') return numbersIn(statement.body)
    return statement.type === 'if' ? statement.arms.flatMap((arm) => numbersIn(arm.body)) : []
  })
}
