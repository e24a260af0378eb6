import type { CallStep, Value } from '../program/index.ts'
import { normaliseName, splitTexts } from '../tools/index.ts'

/**
 * What a call had to know: LOC its object, SEG and SELECT the thing to be found, CLASSIFY its classes,
 * REPLACE what is put there; VQA has none, its pool is common.
 *
 * @source clova §4.2
 */
export function conceptsOf(step: Pick<CallStep, 'tool' | 'args' | 'concepts'>): readonly string[] {
  const text = (name: string): Value | undefined =>
    step.args.find((arg) => arg.name === name)?.value
  switch (step.tool) {
    case 'LOC':
      return named(text('object'))
    case 'SELECT':
      return named(text('query'))
    case 'CLASSIFY':
      return named(text('categories'))
    case 'REPLACE':
      return named(text('prompt'))
    default:
      return step.concepts ?? []
  }
}

/** The first of them, or null for a tool without. */
export function conceptOf(step: CallStep): string | null {
  return conceptsOf(step)[0] ?? null
}

/**
 * The concepts of the tools of a whole program: SEG has to find what SELECT asks for.
 *
 * @returns tool and concept, in the order of the steps
 */
export function conceptsOfSteps(
  steps: readonly CallStep[],
): readonly { readonly index: number; readonly tool: string; readonly concept: string }[] {
  return steps.flatMap((step) => {
    const { index, tool } = step
    const own = tool === 'SEG' ? soughtIn(step, steps) : conceptsOf(step)
    return own.map((concept) => ({ index, tool, concept }))
  })
}

/** What a later SELECT or CLASSIFY seeks among the objects that SEG gave. */
function soughtIn(seg: CallStep, steps: readonly CallStep[]): readonly string[] {
  const users = steps.filter(
    ({ index, args, tool }) =>
      index > seg.index &&
      (tool === 'SELECT' || tool === 'CLASSIFY') &&
      args.some(({ name, source }) => name === 'object' && source === seg.output),
  )
  return [...new Set(users.flatMap(conceptsOf))]
}

function named(value: Value | undefined): readonly string[] {
  return typeof value === 'string' || Array.isArray(value)
    ? splitTexts(value).map(normaliseName)
    : []
}
