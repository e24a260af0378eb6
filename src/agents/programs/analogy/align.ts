import { emojiNamed } from './emoji.ts'
import { isAction, LONGEST_CLAUSE } from './induce-texts.ts'
import { isName } from './instantiate.ts'
import type { Bindings } from './instantiate.ts'
import { WEIGHT } from './lexicon.ts'
import { isGlue, isOpen } from './spans.ts'
import type { Slot, Template, TemplatePart } from './template.ts'
import type { Token } from './tokens.ts'

/** How an instruction lies on a template. */
export interface Alignment {
  /** 0 for word-for-word the same; each word that only one side has adds its weight. */
  readonly cost: number
  readonly bindings: Bindings
}

/** Things have at most so many tokens. */
const LONGEST_THING = 9
const LONGEST_LIST = 16
const SLOT_COST = 0.03
const OPERATORS = new Set(['>', '<', '>=', '<=', '=='])

type Move =
  | { readonly kind: 'match' | 'drop-token' | 'drop-part' }
  | { readonly kind: 'bind'; readonly length: number }

/**
 * The cheapest way to lay an instruction on a template, in order: a dynamic programme over parts and
 * tokens, where a slot takes a run of tokens.
 *
 * @param limit  alignments that cost more are not looked for
 * @returns undefined when there is none within the limit
 */
export function align(
  template: Template,
  tokens: readonly Token[],
  limit: number,
): Alignment | undefined {
  const { parts } = template
  const width = tokens.length + 1
  const scale = dropScale(parts)
  const cost = new Float64Array((parts.length + 1) * width).fill(Infinity)
  const moves: (Move | undefined)[] = new Array(cost.length)
  cost[0] = 0
  const reach = (at: number, value: number, move: Move): void => {
    if (value > limit || value >= (cost[at] ?? Infinity)) return
    cost[at] = value
    moves[at] = move
  }
  for (let i = 0; i <= parts.length; i++) {
    const part = parts[i]
    for (let j = 0; j <= tokens.length; j++) {
      const here = cost[i * width + j] ?? Infinity
      if (here > limit) continue
      const token = tokens[j]
      if (token !== undefined) {
        reach(i * width + j + 1, here + WEIGHT[token.cls], { kind: 'drop-token' })
      }
      if (part === undefined) continue
      reach((i + 1) * width + j, here + dropCost(part, parts[i + 1]) * scaleOf(part, scale), {
        kind: 'drop-part',
      })
      if (token === undefined) continue
      if (part.kind === 'fixed') {
        const same = matchCost(part.token, token, part.repeated)
        reach((i + 1) * width + j + 1, here + same, { kind: 'match' })
        continue
      }
      const most = Math.min(tokens.length - j, part.slot.list ? LONGEST_LIST : LONGEST_THING)
      for (let length = 1; length <= most; length++) {
        const price =
          bindCost(part.slot, tokens.slice(j, j + length), tokens[j - 1]) +
          tornCost(parts[i - 1], part.slot, tokens, j)
        reach((i + 1) * width + j + length, here + price, { kind: 'bind', length })
      }
    }
  }
  const total = cost[cost.length - 1] ?? Infinity
  return total > limit ? undefined : { cost: total, bindings: trace(parts, tokens, moves, width) }
}

function trace(
  parts: readonly TemplatePart[],
  tokens: readonly Token[],
  moves: readonly (Move | undefined)[],
  width: number,
): Bindings {
  const bindings = new Map<number, readonly Token[]>()
  let i = parts.length
  let j = tokens.length
  while (i > 0 || j > 0) {
    const move = moves[i * width + j]
    if (move === undefined) break
    if (move.kind !== 'drop-token') i--
    const left = parts[i]
    if (
      move.kind === 'drop-part' &&
      left?.kind === 'slot' &&
      isBeforeNumber(left.slot, parts[i + 1])
    ) {
      bindings.set(left.slot.index, [EXACTLY])
    }
    if (move.kind === 'bind') {
      const part = parts[i]
      j -= move.length
      if (part?.kind === 'slot') bindings.set(part.slot.index, tokens.slice(j, j + move.length))
    } else if (move.kind !== 'drop-part') j--
  }
  return bindings
}

function dropCost(part: TemplatePart, next: TemplatePart | undefined): number {
  if (part.kind === 'fixed') {
    if (part.repeated) return 1
    return part.token.cls === 'than' ? 0.6 : WEIGHT[part.token.cls]
  }
  if (part.slot.optional) return 0.02
  if (isBeforeNumber(part.slot, next)) return 0.05

  return ['thing', 'action', 'clause'].includes(part.slot.type) ? 1.5 : 1.2
}

/** A comparison with a number need not be said: `two dogs` are exactly two. */
function isBeforeNumber(slot: Slot, next: TemplatePart | undefined): boolean {
  return slot.type === 'comp' && next?.kind === 'slot' && next.slot.type === 'number'
}

const EXACTLY: Token = { cls: 'comp', canon: '==', text: 'exactly' }

/**
 * How much dearer it is to leave out a small word of a template that has hardly any other: what is left of
 * `is there a dog` without `is there` fits everything.
 */
function dropScale(parts: readonly TemplatePart[]): number {
  let identity = 0
  for (const part of parts) {
    if (part.kind === 'fixed') identity += WEIGHT[part.token.cls]
    else if (part.slot.type !== 'thing' && part.slot.type !== 'action') identity += 1.2
  }
  return Math.min(10, Math.max(1, 1.2 / Math.max(identity, 0.01)))
}

function scaleOf(part: TemplatePart, scale: number): number {
  return part.kind === 'fixed' && part.token.cls !== 'det' && part.token.cls !== 'comma' ? scale : 1
}

/** A thing does not begin in the middle of a run of words, unless another slot ends there. */
function tornCost(
  before: TemplatePart | undefined,
  slot: Slot,
  tokens: readonly Token[],
  start: number,
): number {
  const isInside = isOpen(tokens[start - 1]) && isOpen(tokens[start])
  return slot.type === 'thing' && before?.kind !== 'slot' && isInside ? 0.4 : 0
}

function matchCost(a: Token, b: Token, repeated: boolean): number {
  if (a.canon !== b.canon) return Infinity
  if (a.cls !== b.cls) return 0.05
  if (!isGlue(a) || a.text.toLowerCase() === b.text.toLowerCase()) return 0
  return repeated ? 1 : 0.02
}

/** What it costs to bind a slot to a run of tokens; infinite where it cannot be. */
function bindCost(slot: Slot, span: readonly Token[], before: Token | undefined): number {
  const [first] = span
  if (first === undefined) return Infinity
  switch (slot.type) {
    case 'thing':
      return slot.list ? listCost(slot, span) : thingCost(slot, span)
    case 'action':
      return span.length <= slot.filler.length && isAction(first) && before?.cls === 'word'
        ? SLOT_COST + 0.2 * (slot.filler.length - span.length)
        : Infinity
    case 'clause':
      return clauseCost(span, before)
    case 'emoji':
      return emojiCost(span)
    case 'comp':
      return span.length === 1 && first.cls === 'comp' && OPERATORS.has(first.canon)
        ? SLOT_COST
        : Infinity
    case 'side':
      return span.length === 1 && first.cls === 'side' && first.canon !== 'OTHER'
        ? SLOT_COST
        : Infinity
    case 'color':
    case 'kind':
    case 'number':
    case 'rel':
    case 'conj':
      return span.length === 1 && first.cls === slot.type ? SLOT_COST : Infinity
    default:
      return slot.type satisfies never
  }
}

function thingCost(slot: Slot, span: readonly Token[]): number {
  const last = span.at(-1)
  if (!isOpen(span[0]) || !isOpen(last)) return Infinity
  if (last?.cls === 'color' && span.at(-2)?.cls === 'word') return Infinity
  let cost = SLOT_COST
  for (const token of span) {
    if (isOpen(token)) continue
    if (!isGlue(token)) return Infinity
    cost += token.cls === 'det' ? 0.02 : token.canon === 'of' ? 0.05 : 0.12
  }
  if (span.length > 1 && (isAction(last) || isAction(span[0]))) cost += 0.4
  return cost + unlike(slot.filler, span)
}

function listCost(slot: Slot, span: readonly Token[]): number {
  const separators = span.filter(({ cls }) => cls === 'comma' || cls === 'conj').length
  if (separators === 0) return thingCost(slot, span)
  if (!isOpen(span[0]) || !isOpen(span.at(-1))) return Infinity
  const parts: Token[][] = [[]]
  for (const token of span) {
    if (token.cls === 'comma' || token.cls === 'conj') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
    .filter((part) => part.length > 0)
    .map((part) => thingCost(slot, part.slice(Math.max(0, part.findIndex(isOpen)))))
    .reduce((sum, cost) => sum + cost, 0.02)
}

const ENDS_CLAUSE: ReadonlySet<string> = new Set(['comma', 'conj', 'side', 'wh', 'picture'])

/** What is said of a thing stands after it, or after `that`, and has a verb at its beginning. */
function clauseCost(span: readonly Token[], before: Token | undefined): number {
  const [first] = span
  const isSaid = before !== undefined && !['comma', 'conj', 'aux', 'exist'].includes(before.cls)
  const begins = first !== undefined && ['word', 'aux', 'exist', 'verb'].includes(first.cls)
  if (!isSaid || !begins || span.length > LONGEST_CLAUSE) return Infinity
  if (span.some(({ cls }) => ENDS_CLAUSE.has(cls))) return Infinity
  return SLOT_COST + 0.02 * (span.length - 1)
}

function emojiCost(span: readonly Token[]): number {
  if (span.length > 5) return Infinity
  if (span.length === 1 && span[0]?.canon === 'EMOJI') return 0.15
  if (span[0]?.cls === 'det') return Infinity
  return emojiNamed(span.map((token) => token.text).join(' ')) === undefined ? Infinity : SLOT_COST
}

/** Fillers of one kind are alike: names with names, `X of Y` with `X of Y`; the same filler is free. */
function unlike(filler: readonly Token[], span: readonly Token[]): number {
  const same = filler.length === span.length && filler.every((a, i) => a.canon === span[i]?.canon)
  if (same) return -SLOT_COST
  let cost = 0
  if (filler.some(isName) !== span.some(isName)) cost += 0.15
  const hasOf = (list: readonly Token[]): boolean => list.some((token) => token.canon === 'of')
  if (hasOf(filler) !== hasOf(span)) cost += 0.06
  const head = (list: readonly Token[]): string | undefined => list.find(isOpen)?.canon
  if (head(filler) === head(span)) cost -= 0.01
  return cost
}
