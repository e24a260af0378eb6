import type { Abortable } from '../../../base/index.ts'
import { UserFault } from '../../../base/index.ts'
import { singularPhrase } from '../../../memory/index.ts'
import type { Demonstration, DemonstrationPool } from '../../../memory/index.ts'
import { check, mayRun, parse, print } from '../../../program/index.ts'
import type { Family, Program, Signature } from '../../../program/index.ts'
import type { Candidate } from './candidate.ts'
import { rename } from './combine.ts'
import { composed } from './compose.ts'
import { explain, planOf } from './explain.ts'
import { GistReader } from './gist/gist.ts'
import { induce } from './induce.ts'
import { instantiate } from './instantiate.ts'
import type { Match } from './template-index.ts'
import { TemplateIndex } from './template-index.ts'
import type { Token } from './tokens.ts'
import { tokens } from './tokens.ts'

/** A program found by analogy. */
export interface Analogy {
  readonly program: string
  readonly plan: string
  /** 0..1; 1 for an instruction that a demonstration has word for word. */
  readonly confidence: number
  readonly explanation: string
  readonly demonstrations: readonly string[]
}

export interface AnalogyPlanner {
  /**
   * The programs that fit best, best first.
   *
   * @throws UserFault `E_NOT_UNDERSTOOD` when nothing is near enough, with what would be understood
   */
  plan(
    request: { readonly family: Family; readonly instruction: string },
    options?: Abortable & { readonly limit?: number },
  ): Promise<readonly Analogy[]>
}

/** The dearest alignment that is offered: one small content word too many, or a few small words. */
const ACCEPTED = 0.9
/** Matches for which a program is made and checked. */
const MOST_CHECKED = 12
const DEEPEST = 3
/** What a wrong demonstration adds to the program that it would write for the same instruction. */
const WRONG = 0.6
const NEARER = 0.15
const RESEMBLING = 0.025

/** The gist of an instruction is offered when it is so likely, and then costs from 0.9 down by so much. */
const LEAST_CHANCE = 0.35
const GIST = 0.6

const UNKNOWN_KIND = 0.1
const KIND_AS_THING = 0.4

const LOWEST_SCORE = -2

interface Warning {
  readonly text: string
  readonly cost: number
  readonly exact: boolean
}

interface FamilyIndex {
  version: number
  readonly known: Map<string, Demonstration>
  readonly right: TemplateIndex
  readonly wrong: TemplateIndex
  /** Made when an instruction first lies on no template. */
  gist?: GistReader | undefined
  /** What right programs list the kinds of, and what they tag as it is, by demonstration. */
  readonly kinds: Map<string, string>
  readonly things: Map<string, readonly string[]>
}

/**
 * Plans without a language model: the nearest demonstrations are aligned with the instruction, the spans
 * that differ are bound in their programs, parts are joined where no demonstration covers the whole, and
 * what passes the checker is ranked.
 *
 * It knows what the pool holds and nothing else; a demonstration that is added counts from the next call on.
 *
 * @source clova §2, "Without an LLM"
 */
export function createAnalogyPlanner(options: {
  readonly pool: DemonstrationPool
  readonly signatures: readonly Signature[]
}): AnalogyPlanner {
  const { pool, signatures } = options
  const families = new Map<string, FamilyIndex>()
  return {
    plan: async ({ family, instruction }, { signal, limit = 3 } = {}) => {
      signal?.throwIfAborted()
      const index = await indexed(families, family.name, pool, signatures)
      const list = tokens(instruction)
      const found = new Search(index, family, signatures).candidates(list, 0)
      if (found.length === 0) throw notUnderstood(family, instruction, index)
      return found.slice(0, limit).map((candidate) => ({
        program: print(candidate.program),
        plan: candidate.plan.map((line, i) => `${i + 1}. ${line}`).join('\n'),
        confidence: Math.round(Math.exp(-candidate.cost) * 1000) / 1000,
        explanation: candidate.explanation.join(' '),
        demonstrations: candidate.demonstrations,
      }))
    },
  }
}

async function indexed(
  families: Map<string, FamilyIndex>,
  family: string,
  pool: DemonstrationPool,
  signatures: readonly Signature[],
): Promise<FamilyIndex> {
  const index: FamilyIndex = families.get(family) ?? {
    version: NaN,
    known: new Map(),
    right: new TemplateIndex(),
    wrong: new TemplateIndex(),
    kinds: new Map(),
    things: new Map(),
  }
  families.set(family, index)
  const version = await pool.version()
  if (index.version === version) return index
  const current = await pool.list(family)
  const alive = new Set(current.map(({ id }) => id))
  for (const id of [...index.known.keys()]) if (!alive.has(id)) forget(index, id)
  for (const demonstration of current) learn(index, demonstration, signatures)
  index.version = version
  index.gist = undefined
  return index
}

function forget(index: FamilyIndex, id: string): void {
  index.known.delete(id)
  index.kinds.delete(id)
  index.things.delete(id)
  index.right.remove(id)
  index.wrong.remove(id)
}

function learn(
  index: FamilyIndex,
  demonstration: Demonstration,
  signatures: readonly Signature[],
): void {
  const known = index.known.get(demonstration.id)
  if (known !== undefined && isSame(known, demonstration)) return
  forget(index, demonstration.id)
  index.known.set(demonstration.id, demonstration)
  if (demonstration.unverified === true || demonstration.score < LOWEST_SCORE) return
  const template = induce(demonstration, signatures)
  if (template === undefined) return
  if (demonstration.verdict === 'right') index.right.add(template)
  else index.wrong.add(template)
  if (demonstration.verdict !== 'right') return
  const [kind] = kindsIn(demonstration.program ?? '')
  if (kind !== undefined) index.kinds.set(demonstration.id, kind)
  index.things.set(demonstration.id, taggedIn(demonstration.program ?? ''))
}

/** What a program lists the kinds of. */
function kindsIn(program: string): readonly string[] {
  return [...program.matchAll(/query=(['"])kinds of (?:an? )?([^'"]+)\1/g)].map(([, , name = '']) =>
    singularPhrase(name),
  )
}

/** What a program finds and tags as it is. */
function taggedIn(program: string): readonly string[] {
  if (!program.includes('=TAG(') || program.includes('=CLASSIFY(')) return []
  const found = program.matchAll(/=LOC\(image=\w+,\s*object=(['"])([^'"{]+)\1\)/g)
  return [...found].map(([, , name = '']) => name)
}

/**
 * What it costs a program to speak of a kind as of a thing, or of a thing as of a kind: "tag the vehicles"
 * asks which they are, "tag the owls" does not, and only the noun tells.
 */
function mistakenKind(
  text: string,
  kinds: ReadonlySet<string>,
  things: ReadonlySet<string>,
): number {
  const listed = kindsIn(text)
  if (listed.some((name) => !kinds.has(name) && !things.has(name))) return UNKNOWN_KIND
  const tagsAKind = taggedIn(text).some((name) => kinds.has(name))
  return tagsAKind ? KIND_AS_THING : 0
}

function isSame(a: Demonstration, b: Demonstration): boolean {
  return (
    a === b ||
    (a.instruction === b.instruction &&
      a.program === b.program &&
      a.plan === b.plan &&
      a.verdict === b.verdict &&
      a.score === b.score &&
      a.unverified === b.unverified)
  )
}

/** The search for one instruction; parts that come up again are planned once. */
class Search {
  readonly #index: FamilyIndex
  readonly #kinds: ReadonlySet<string>
  readonly #things: ReadonlySet<string>
  readonly #family: Family
  readonly #signatures: readonly Signature[]
  readonly #planned = new Map<string, readonly Candidate[]>()

  constructor(index: FamilyIndex, family: Family, signatures: readonly Signature[]) {
    this.#index = index
    const things = new Set([...index.things.values()].flat())
    this.#kinds = new Set([...index.kinds.values()].filter((name) => !things.has(name)))
    this.#things = things
    this.#family = family
    this.#signatures = signatures
  }

  /** Checked programs for the tokens, cheapest first, none dearer than accepted. */
  candidates(list: readonly Token[], depth: number): readonly Candidate[] {
    if (list.length === 0) return []
    const key = `${depth} ${list.map((token) => token.text).join(' ')}`
    const known = this.#planned.get(key)
    if (known !== undefined) return known
    // Against instructions that come back to themselves.
    this.#planned.set(key, [])
    const direct = this.#direct(list)
    const joined = depth < DEEPEST ? [...direct, ...this.#joined(list, depth)] : direct
    const found = depth === 0 ? [...joined, ...this.#byGist(list)] : joined
    const ranked = unique(found.map((candidate) => this.#weighed(candidate)))
      .filter(({ cost }) => cost <= ACCEPTED)
      .sort((a, b) => a.cost - b.cost)
    this.#planned.set(key, ranked)
    return ranked
  }

  #weighed(candidate: Candidate): Candidate {
    if (this.#kinds.size === 0) return candidate
    const added = mistakenKind(print(candidate.program), this.#kinds, this.#things)
    return added === 0 ? candidate : { ...candidate, cost: candidate.cost + added }
  }

  #direct(list: readonly Token[]): readonly Candidate[] {
    const warnings = this.#warnings(list)
    return this.#index.right
      .search(list, ACCEPTED)
      .slice(0, MOST_CHECKED)
      .flatMap((match) => {
        const program = this.#checked(parse(print(instantiate(match.template, match.bindings))))
        if (program === undefined) return []
        const text = canonical(program)
        const warned = Math.max(
          0,
          ...warnings.map((one) => (one.text === text ? warning(match.cost, one) : 0)),
        )
        return [candidateOf(match, program, warned)]
      })
  }

  #joined(list: readonly Token[], depth: number): readonly Candidate[] {
    const plan = (part: readonly Token[]): Candidate | undefined =>
      part.length < list.length ? this.candidates(part, depth + 1)[0] : undefined
    return composed(list, plan, this.#signatures).flatMap((candidate) => {
      const program = this.#checked(candidate.program)
      return program === undefined ? [] : [{ ...candidate, program }]
    })
  }

  /** What wrong demonstrations would have written. */
  #warnings(list: readonly Token[]): readonly Warning[] {
    const wrong = this.#index.wrong.search(list, ACCEPTED).slice(0, MOST_CHECKED)
    return wrong.map((match) => ({
      text: canonical(instantiate(match.template, match.bindings)),
      cost: match.cost,
      exact: match.exact,
    }))
  }

  /** What the instruction seems to mean where it lies on no template. */
  #byGist(list: readonly Token[]): readonly Candidate[] {
    this.#index.gist ??= new GistReader(this.#index.right.templates())
    const read = this.#index.gist.read(list)
    if (read === undefined || read.chance < LEAST_CHANCE) return []
    const program = this.#checked(parse(print(read.program)))
    const warned = this.#warnings(list).some(
      ({ text }) => program !== undefined && text === canonical(program),
    )
    if (program === undefined || warned) return []
    const { template, bindings } = read
    const { demonstration } = template
    const match = { template, bindings, demonstration, cost: 0, exact: false }
    return [candidateOf(match, program, ACCEPTED - GIST * read.chance)]
  }

  #checked(program: Program): Program | undefined {
    const found = check(program, { family: this.#family, signatures: this.#signatures })
    return mayRun(found) ? program : undefined
  }
}

/**
 * What a wrong demonstration adds to the cost of the program that it would write too: all for its own
 * words, less when it is nearer to the instruction than the right one, little when both are alike, next to
 * nothing when it is farther away.
 */
function warning(right: number, { cost: wrong, exact }: { cost: number; exact: boolean }): number {
  if (wrong < right - 0.01) return exact ? WRONG : NEARER
  return RESEMBLING * Math.exp(-20 * Math.max(0, wrong - right))
}

function candidateOf(match: Match, program: Program, warned: number): Candidate {
  return {
    program,
    cost: match.cost + warned,
    demonstrations: [match.demonstration.id],
    explanation: [explain(match)],
    plan: planOf(match),
  }
}

/** Text of a program that does not depend on how its variables are called. */
function canonical(program: Program): string {
  const names = new Map<string, string>()
  return print(
    rename(program, (name) => {
      const known = names.get(name) ?? `V${names.size}`
      names.set(name, known)
      return known
    }),
  )
}

/** Equal programs once, the cheapest. */
function unique(found: readonly Candidate[]): readonly Candidate[] {
  const best = new Map<string, Candidate>()
  for (const candidate of found) {
    const text = canonical(candidate.program)
    const known = best.get(text)
    if (known === undefined || candidate.cost < known.cost) best.set(text, candidate)
  }
  return [...best.values()]
}

function notUnderstood(family: Family, instruction: string, index: FamilyIndex): UserFault {
  const examples = index.right.examples(tokens(instruction), 5)
  const known = examples.map((text) => `"${text}"`).join(', ')
  return new UserFault(
    'E_NOT_UNDERSTOOD',
    `"${shortened(instruction)}" is like nothing that I was shown.`,
    {
      fields: { family: family.name, instruction, examples },
      cure:
        examples.length === 0
          ? `I know no demonstration for ${family.name} yet: add one, or configure a language model.`
          : `I understand such as ${known}. Say it in one of these ways, or configure a language model.`,
    },
  )
}

/** What an error can hold of an instruction: whoever wrote a page knows what it said. */
function shortened(text: string, most = 200): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
