import type { Demonstration } from '../../../memory/index.ts'
import type { Alignment } from './align.ts'
import { align } from './align.ts'
import { WEIGHT } from './lexicon.ts'
import { TemplateTree } from './template-tree.ts'
import type { Template, TemplatePart } from './template.ts'
import type { Token } from './tokens.ts'

/** Demonstrations that teach the same template. */
interface Group {
  readonly template: Template
  /** By what their slots hold, the best of each. */
  readonly byFillers: Map<string, Demonstration>
}

/** A template that fits an instruction, and the demonstration that is nearest among those that teach it. */
export interface Match extends Alignment {
  readonly template: Template
  readonly demonstration: Demonstration
  /** The demonstration has the very words in its slots. */
  readonly exact: boolean
}

/** At most so many templates are aligned for one instruction, those with the least unavoidable cost. */
const MOST_ALIGNED = 80
/** Templates looked at for examples of what is understood. */
const MOST_EXAMPLES = 2_000
/** What a demonstration costs for each point that it was voted down. */
const VOTED_DOWN = 0.05
/** What a demonstration without score costs for words that are not its own; from `PROVEN` on nothing. */
const NOVELTY = 0.05
const PROVEN = 10

/** The templates of a family's demonstrations, found by the words that they cannot do without. */
export class TemplateIndex {
  readonly #groups = new Map<string, Group>()
  readonly #tree = new TemplateTree<Group>()
  readonly #keys = new Map<string, string>()

  get size(): number {
    return this.#groups.size
  }

  add(template: Template): void {
    const { demonstration } = template
    this.remove(demonstration.id)
    this.#keys.set(demonstration.id, template.key)
    let group = this.#groups.get(template.key)
    if (group === undefined) {
      group = { template, byFillers: new Map() }
      this.#groups.set(template.key, group)
      this.#tree.add(heavyTerms(template.parts), group)
    }
    const key = fillerKey(template)
    const known = group.byFillers.get(key)
    if (known === undefined || known.score < demonstration.score) {
      group.byFillers.set(key, demonstration)
    }
  }

  remove(id: string): void {
    const key = this.#keys.get(id)
    const group = key === undefined ? undefined : this.#groups.get(key)
    this.#keys.delete(id)
    if (group === undefined || key === undefined) return
    for (const [fillers, demonstration] of group.byFillers) {
      if (demonstration.id === id) group.byFillers.delete(fillers)
    }
    if (group.byFillers.size > 0) return
    this.#groups.delete(key)
    this.#tree.remove(heavyTerms(group.template.parts), group)
  }

  /** All templates, each once. */
  templates(): readonly Template[] {
    return [...this.#groups.values()].map(({ template }) => template)
  }

  /** Templates that the instruction lies on within a cost, cheapest first. */
  search(tokens: readonly Token[], limit: number): readonly Match[] {
    const terms = new Set(tokens.map(termOf))
    return this.#tree
      .within(terms, limit)
      .map((group) => ({ group, least: leastCost(group.template, tokens, terms) }))
      .filter(({ least }) => least <= limit)
      .sort((a, b) => a.least - b.least)
      .slice(0, MOST_ALIGNED)
      .flatMap(({ group }) => matchOf(group, tokens, limit) ?? [])
      .sort((a, b) => a.cost - b.cost)
  }

  /** Instructions that are understood, those that share most with the tokens first. */
  examples(tokens: readonly Token[], count: number): readonly string[] {
    const terms = new Set(tokens.map(termOf))
    const shared = ({ parts }: Template): number =>
      parts.filter((part) => part.kind === 'fixed' && terms.has(termOf(part.token))).length /
      (parts.length + 1)
    const some = [...this.#groups.values()].slice(0, MOST_EXAMPLES).map(({ template }) => template)
    return some
      .sort((a, b) => shared(b) - shared(a))
      .slice(0, count)
      .map((template) => template.demonstration.instruction)
  }
}

function matchOf(group: Group, tokens: readonly Token[], limit: number): Match | undefined {
  const { template } = group
  const found = align(template, tokens, limit)
  if (found === undefined) return undefined
  const exact = group.byFillers.get(bindingKey(template, found.bindings))
  const demonstration = exact ?? group.byFillers.values().next().value ?? template.demonstration
  const { score } = demonstration
  const votes = score < 0 ? -score * VOTED_DOWN : 0
  // What is new is trusted for its own words at once, for others the more it has proved right.
  const novelty = exact === undefined ? NOVELTY * (1 - Math.min(1, Math.max(0, score) / PROVEN)) : 0
  const cost = Math.max(0, found.cost - (exact === undefined ? 0 : 0.02)) + votes + novelty
  return { ...found, cost, template, demonstration, exact: exact !== undefined }
}

function termOf(token: Token): string {
  return token.canon
}

/** The fixed words of a template that cost at least half a point to leave out. */
function heavyTerms(parts: readonly TemplatePart[]): readonly { term: string; weight: number }[] {
  const terms = new Map<string, number>()
  for (const part of parts) {
    if (part.kind !== 'fixed') continue
    const weight = WEIGHT[part.token.cls]
    if (weight >= 0.5) terms.set(termOf(part.token), weight)
  }
  return [...terms].map(([term, weight]) => ({ term, weight }))
}

/** What any alignment must cost: fixed words that are not there, closed-class words no part can take. */
function leastCost(
  template: Template,
  tokens: readonly Token[],
  terms: ReadonlySet<string>,
): number {
  let cost = 0
  const fixed = new Set<string>()
  for (const part of template.parts) {
    if (part.kind !== 'fixed') continue
    fixed.add(termOf(part.token))
    if (!terms.has(termOf(part.token))) cost += WEIGHT[part.token.cls]
  }
  const types = new Set<string>(template.slots.map((slot) => slot.type))
  const takesOpen = types.has('thing') || types.has('emoji')
  if (types.has('clause')) return cost
  const takesList = template.slots.some((slot) => slot.list)
  for (const token of tokens) {
    const { cls } = token
    if (fixed.has(termOf(token)) || types.has(cls)) continue
    if (takesOpen && (cls === 'word' || cls === 'color' || cls === 'number' || WEIGHT[cls] < 0.5))
      continue
    if (takesList && cls === 'conj') continue
    cost += WEIGHT[cls]
  }
  return cost
}

function fillerKey(template: Template): string {
  return template.slots.map((slot) => slot.filler.map((token) => token.canon).join(' ')).join('|')
}

function bindingKey(template: Template, bindings: Alignment['bindings']): string {
  return template.slots
    .map((slot) => (bindings.get(slot.index) ?? slot.filler).map((token) => token.canon).join(' '))
    .join('|')
}
