import type { Signature } from '../../../program/index.ts'
import type { Candidate } from './candidate.ts'
import { combine, negate } from './combine.ts'
import type { Connective } from './combine.ts'
import { isGlue, isOpen } from './spans.ts'
import { inOrder } from './tokens.ts'
import type { Token } from './tokens.ts'

/** What is asked of the planner for a part of an instruction: its best program, if it has one. */
export type PlanPart = (tokens: readonly Token[]) => Candidate | undefined

/** Joining costs a little, so that a demonstration of the whole wins over one made of parts. */
const JOINING = 0.15

/** Programs for an instruction that no single demonstration covers: parts of it, joined. */
export function composed(
  tokens: readonly Token[],
  plan: PlanPart,
  signatures: readonly Signature[],
): readonly Candidate[] {
  const found: Candidate[] = []
  for (const { parts, connective } of [...coordinations(tokens), ...clauses(tokens)]) {
    const candidate = joinedParts(parts, connective, plan, signatures)
    if (candidate !== undefined) found.push(candidate)
  }
  const negation = negated(tokens, plan, signatures)
  return negation === undefined ? found : [...found, negation]
}

interface Split {
  readonly parts: readonly (readonly Token[])[]
  readonly connective: Connective
}

function joinedParts(
  parts: readonly (readonly Token[])[],
  connective: Connective,
  plan: PlanPart,
  signatures: readonly Signature[],
): Candidate | undefined {
  let whole: Candidate | undefined
  for (const part of parts) {
    const next = plan(inOrder(part))
    if (next === undefined) return undefined
    const joined = whole === undefined ? next : joinTwo(whole, next, connective, signatures)
    if (joined === undefined) return undefined
    whole = joined
  }
  return whole
}

function joinTwo(
  a: Candidate,
  b: Candidate,
  connective: Connective,
  signatures: readonly Signature[],
): Candidate | undefined {
  const program = combine(a.program, b.program, connective, signatures)
  if (program === undefined) return undefined
  return {
    program,
    cost: a.cost + b.cost + JOINING,
    demonstrations: [...new Set([...a.demonstrations, ...b.demonstrations])],
    explanation: [...a.explanation, ...b.explanation],
    plan: [...a.plan, ...b.plan],
  }
}

/** `a dog and a cat` in a longer instruction: once with the dog, once with the cat. */
function coordinations(tokens: readonly Token[]): readonly Split[] {
  return tokens.flatMap((token, at) => {
    const connective = connectiveOf(token)
    if (connective === undefined) return []
    const right = thingAfter(tokens, at + 1)
    // A list is split at its last conjunction, with the things before.
    if (separates(tokens[right], connective) && thingAfter(tokens, right + 1) > right + 1) return []
    let start = thingBefore(tokens, at)
    if (right === at + 1 || start === at) return []
    const things = [tokens.slice(start, at), tokens.slice(at + 1, right)]
    while (separates(tokens[start - 1], connective)) {
      const before = thingBefore(tokens, start - 1)
      if (before === start - 1) break
      things.unshift(tokens.slice(before, start - 1))
      start = before
    }
    const head = tokens.slice(0, start)
    const tail = tokens.slice(right)
    return [{ connective, parts: things.map((thing) => [...head, ...thing, ...tail]) }]
  })
}

/** `blur the background and hide the faces`: one after the other. */
function clauses(tokens: readonly Token[]): readonly Split[] {
  return tokens.flatMap((token, at) => {
    const connective = token.cls === 'comma' ? 'and' : connectiveOf(token)
    if (connective === undefined || at === 0 || at === tokens.length - 1) return []
    const before = tokens[at - 1]?.cls === 'comma' ? at - 1 : at
    return [{ connective, parts: [tokens.slice(0, before), tokens.slice(at + 1)] }]
  })
}

function separates(token: Token | undefined, connective: Connective): boolean {
  return token?.cls === 'comma' || (token !== undefined && connectiveOf(token) === connective)
}

function connectiveOf(token: Token): Connective | undefined {
  if (token.cls !== 'conj') return undefined
  return token.canon === 'AND' ? 'and' : token.canon === 'OR' ? 'or' : undefined
}

function thingBefore(tokens: readonly Token[], end: number): number {
  let start = end
  while (start > 0 && isOpen(tokens[start - 1])) start--
  if (start === end) return end
  while (start > 0 && ['det', 'every', 'number'].includes(tokens[start - 1]?.cls ?? '')) start--
  return start
}

function thingAfter(tokens: readonly Token[], start: number): number {
  let end = start
  while (['det', 'every', 'number'].includes(tokens[end]?.cls ?? '')) end++
  const first = end
  while (isOpen(tokens[end])) end++
  return end === first || isGlue(tokens[end - 1]) ? start : end
}

/** `there is no dog` where only `there is a dog` is known: the opposite. */
function negated(
  tokens: readonly Token[],
  plan: PlanPart,
  signatures: readonly Signature[],
): Candidate | undefined {
  const at = tokens.findIndex((token) => token.cls === 'neg')
  if (at === -1) return undefined
  const base = plan(tokens.filter((_token, i) => i !== at))
  const program = base === undefined ? undefined : negate(base.program, signatures)
  if (base === undefined || program === undefined) return undefined
  return { ...base, program, cost: base.cost + 2 * JOINING }
}
