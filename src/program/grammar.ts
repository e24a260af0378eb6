import { catalogue } from './catalogue.ts'
import { knownNames, nameSeries } from './grammar-names.ts'
import type { KnownNames, NameSeries } from './grammar-names.ts'
import { all, any, createRuleBook, literal, maybe, printRules, words } from './grammar-rules.ts'
import type { GrammarRules, Rule, RuleBook } from './grammar-rules.ts'
import { valueRule } from './grammar-values.ts'
import { fits } from './kind.ts'
import type { ArgSpec, Family, Signature } from './signature.ts'

export interface GrammarOptions {
  /** Steps before RESULT at most; default 10, fewer where many kinds of names would make it large. */
  readonly maxSteps?: number
}

const MOST_STEPS = 10
const MOST_STATES = 500

/**
 * A grammar in GBNF for constrained decoding: a model that follows it writes only programs that pass
 * the check, with tools of the family, all their arguments, literals in range, names that are assigned
 * before and hold what is wanted, and RESULT last. Only a name that nothing uses is not ruled out.
 *
 * Straight-line programs only, without comments, their names counted from 0: BOX0, BOX1, IMAGE0, … There
 * is a rule for each state, which is how many names of each kind are assigned.
 * @source ours; notation of llama.cpp
 */
export function grammarFor(
  signatures: readonly Signature[],
  family: Family,
  options: GrammarOptions = {},
): string {
  return printRules(grammarRules(signatures, family, options))
}

/** The grammar as data. */
export function grammarRules(
  signatures: readonly Signature[],
  family: Family,
  options: GrammarOptions = {},
): GrammarRules {
  const series = nameSeries([...catalogue(signatures).values()], family)
  const { maxSteps = stepsWithin(series.length) } = options
  const book = createRuleBook()
  const states = new Map<string, Rule | undefined>()
  const from = (counts: readonly number[]): Rule | undefined => {
    const key = counts.join('-')
    if (!states.has(key)) states.set(key, stateRule(counts))
    return states.get(key)
  }
  /** What may follow after so many names of each series; undefined when no RESULT can be reached. */
  const stateRule = (counts: readonly number[]): Rule | undefined => {
    const known = knownNames(family, series, counts)
    const isFull = counts.reduce((sum, count) => sum + count, 0) >= maxSteps
    const steps = series.flatMap((one, i): Rule[] => {
      const calls = isFull ? undefined : callsRule(one, known, book)
      const next = calls && from(counts.map((count, k) => (k === i ? count + 1 : count)))
      return next === undefined || calls === undefined
        ? []
        : [all(literal(`${one.prefix}${counts[i]}=`), calls, literal('\n'), next)]
    })
    const options = [...resultRule(family, series, counts), ...steps]
    return options.length === 0 ? undefined : book.intern('after', any(...options))
  }
  const root = from(series.map(() => 0)) ?? any()
  return new Map([['root', root], ...book.rules])
}

/** The most steps for which the states are few enough: with k series, n steps have C(n + k, k). */
function stepsWithin(series: number): number {
  const states = (steps: number): number =>
    Array.from({ length: series }, (_, i) => (steps + i + 1) / (i + 1)).reduce((a, b) => a * b, 1)
  let steps = MOST_STEPS
  while (steps > 1 && states(steps) > MOST_STATES) steps--
  return steps
}

/** The last line, where a name of the right kind is assigned; inputs are no results. */
function resultRule(
  family: Family,
  series: readonly NameSeries[],
  counts: readonly number[],
): readonly Rule[] {
  const { result, resultName, resultOf } = family
  const names = series.flatMap(({ prefix, tools, kinds }, i) => {
    const isResult =
      kinds.every((kind) => result.some((wanted) => fits(kind, wanted))) &&
      (resultOf === undefined || tools.every(({ name }) => name === resultOf))
    return isResult ? Array.from({ length: counts[i] ?? 0 }, (_, k) => `${prefix}${k}`) : []
  })
  if (names.length === 0) return []
  return [all(literal(`${resultName}=RESULT(var=`), words(names), literal(')'))]
}

/** Calls of the tools of a series, those with the same arguments together; undefined when none can be. */
function callsRule(
  { prefix, tools }: NameSeries,
  known: KnownNames,
  book: RuleBook,
): Rule | undefined {
  const alike = Map.groupBy(tools, ({ args }) =>
    JSON.stringify(args.map(({ about: _, ...arg }) => arg)),
  )
  const calls = [...alike.values()].flatMap((group): Rule[] => {
    const args = argsRule(group[0]?.args ?? [], known, book)
    return args === undefined ? [] : [all(words(group.map(({ name }) => `${name}(`)), args)]
  })
  return calls.length === 0
    ? undefined
    : book.intern(`${prefix.toLowerCase().replace(/[^a-z0-9]/g, '')}-call`, any(...calls))
}

/** `image=…,object=…)`: needed arguments in order, then those with a default, each or not. */
function argsRule(args: readonly ArgSpec[], known: KnownNames, book: RuleBook): Rule | undefined {
  const pairs = args.map((arg) => ({ arg, value: valueRule(arg, known, book) }))
  const needed = pairs.filter(({ arg }) => arg.default === undefined)
  const optional = pairs.filter(({ arg }) => arg.default !== undefined)
  if (needed.some(({ value }) => value === undefined)) return undefined
  const named = ({ arg, value }: (typeof pairs)[number], comma: boolean): Rule[] =>
    value === undefined ? [] : [all(literal(`${comma ? ',' : ''}${arg.name}=`), value)]
  const later = (rest: typeof pairs): Rule[] =>
    rest.flatMap((one) => named(one, true).map((rule) => maybe(rule)))
  if (needed.length > 0) {
    const start = needed.flatMap((one, i) => named(one, i > 0))
    return all(...start, ...later(optional), literal(')'))
  }
  const chains = optional.flatMap((one, i) =>
    named(one, false).map((first) => all(first, ...later(optional.slice(i + 1)))),
  )
  return all(...(chains.length === 0 ? [] : [maybe(any(...chains))]), literal(')'))
}
