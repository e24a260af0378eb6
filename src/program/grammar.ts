import { catalogue } from './catalogue.ts'
import { offers } from './families.ts'
import { all, any, literal, maybe, oneOf, printRules, ref, repeat } from './grammar-rules.ts'
import type { GrammarRules, Rule } from './grammar-rules.ts'
import type { ArgSpec, ArgType, Family, Signature } from './signature.ts'

export interface GrammarOptions {
  /** Steps before RESULT at most; default 20, since small models do not stop by themselves. */
  readonly maxSteps?: number
}

const MOST_WORDS = 64

/**
 * A grammar in GBNF for constrained decoding: a model that follows it writes only programs that
 * parse, with tools of the family, all their arguments, literals in range, and RESULT last. Which
 * variables exist it cannot say; the checker does.
 *
 * Straight-line programs only, in canonical form, without comments.
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
  { maxSteps = 20 }: GrammarOptions = {},
): GrammarRules {
  const tools = [...catalogue(signatures).values()].filter(
    (one) => offers(family, one) && one.name !== 'RESULT',
  )
  const rules = new Map<string, Rule>()
  rules.set('root', all(repeat(all(ref('step'), literal('\n')), 0, maxSteps), ref('result')))
  rules.set('result', all(literal(`${family.resultName}=RESULT(var=`), ref('name'), literal(')')))
  rules.set('step', all(ref('name'), literal('='), ref('call')))
  rules.set('call', any(...tools.map((one) => ref(ruleName(one.name)))))
  for (const one of tools) rules.set(ruleName(one.name), callRule(one))
  const used = new Set(tools.flatMap((one) => one.args.map((arg) => arg.type)))
  for (const [name, rule] of sharedRules(used)) rules.set(name, rule)
  return rules
}

/** Rule names are lower case with dashes. */
function ruleName(tool: string): string {
  return `tool-${tool.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}

/** `LOC(image=…,object=…)`: needed arguments in order, then those with a default, each or not. */
function callRule(signature: Signature): Rule {
  const needed = signature.args.filter((arg) => arg.default === undefined)
  const optional = signature.args.filter((arg) => arg.default !== undefined)
  const open = literal(`${signature.name}(`)
  const close = literal(')')
  const named = (arg: ArgSpec, comma: boolean): Rule =>
    all(literal(`${comma ? ',' : ''}${arg.name}=`), valueRule(arg))
  const start = needed.map((arg, i) => named(arg, i > 0))
  if (needed.length > 0) {
    return all(open, ...start, ...optional.map((arg) => maybe(named(arg, true))), close)
  }
  const chains = optional.map((arg, i) =>
    all(named(arg, false), ...optional.slice(i + 1).map((next) => maybe(named(next, true)))),
  )
  return chains.length === 0 ? all(open, close) : all(open, maybe(any(...chains)), close)
}

function valueRule(arg: ArgSpec): Rule {
  const value = typedRule(arg)
  return arg.default === null ? any(value, literal('None')) : value
}

function typedRule(arg: ArgSpec): Rule {
  const { type, values, min, max } = arg
  if (values !== undefined && values.length <= MOST_WORDS) {
    return any(...values.filter((word) => !/['\\]/.test(word)).map((word) => literal(`'${word}'`)))
  }
  if (type === 'integer' || type === 'number') return numberRule(type, min, max)
  return ref(RULE_OF[type])
}

const RULE_OF: Readonly<Record<Exclude<ArgType, 'integer' | 'number'>, string>> = {
  image: 'name',
  objects: 'name',
  list: 'name',
  variable: 'name',
  text: 'text',
  texts: 'texts',
  bool: 'truth',
  expression: 'expression',
  emoji: 'word',
}

const DIGIT = oneOf('0-9')

/** Numbers within their range, as far as digits can say it. */
function numberRule(type: 'integer' | 'number', min = -Infinity, max = Infinity): Rule {
  const sign = min < 0 ? [maybe(literal('-'))] : []
  const fraction = type === 'number' ? [maybe(all(literal('.'), repeat(DIGIT, 1, 4)))] : []
  if (type === 'number' || !(min >= 0 && Number.isInteger(max) && max < 1e6)) {
    return all(...sign, repeat(DIGIT, 1, 6), ...fraction)
  }
  const shorter = String(max).length - 1
  const first = all(oneOf('1-9'), repeat(DIGIT, 0, Math.max(0, shorter - 1)))
  const options = shorter === 0 ? [oneOf(`1-${max}`)] : [first, literal(String(max))]
  return any(...(min === 0 ? [literal('0')] : []), ...options)
}

/** Characters of a text but for its quote: no backslash, no brace, no control character. */
const PLAIN = '\\\\{}\\x00-\\x1F\\x7F'

function sharedRules(used: ReadonlySet<ArgType>): readonly (readonly [string, Rule])[] {
  const braces = all(literal('{'), ref('name'), literal('}'))
  const quoted = (quote: string): Rule =>
    all(
      literal(quote),
      any(oneOf(`^${quote} ${PLAIN}`), braces),
      repeat(any(oneOf(`^${quote}${PLAIN}`), braces), 0, 160),
      literal(quote),
    )
  const shared: (readonly [string, Rule])[] = [
    ['name', all(oneOf('A-Z'), repeat(oneOf('A-Z0-9_'), 0, 23))],
  ]
  if (used.has('text') || used.has('texts')) {
    shared.push(['text', any(quoted("'"), quoted('"'))])
  }
  if (used.has('texts')) {
    const list = all(ref('text'), repeat(all(literal(','), ref('text')), 0, 19))
    shared.push(['texts', any(ref('text'), ref('name'), all(literal('['), list, literal(']')))])
  }
  if (used.has('bool')) shared.push(['truth', any(literal('True'), literal('False'))])
  if (used.has('emoji')) {
    const word = all(literal("'"), repeat(oneOf('a-z0-9_'), 1, 40), literal("'"))
    shared.push(['word', word])
  }
  if (used.has('expression')) shared.push(...expressionRules(braces))
  return shared
}

/**
 * EVAL's expressions (program-language §7) in double quotes, their texts in single ones. Brackets and
 * calls hold one level of expressions without brackets, so that the grammar has no recursion.
 */
function expressionRules(braces: Rule): readonly (readonly [string, Rule])[] {
  const text = repeat(any(oneOf(`^'"${PLAIN}`), braces), 0, 80)
  const plain = [
    braces,
    all(literal("'"), text, literal("'")),
    all(repeat(DIGIT, 1, 6), maybe(all(literal('.'), repeat(DIGIT, 1, 4)))),
  ]
  const one = any(...['len', 'sum', 'abs', 'round', 'int', 'float', 'bool', 'str'].map(literal))
  const many = any(...['min', 'max', 'concat'].map(literal))
  const more = repeat(all(literal(', '), ref('inner-either')), 1, 5)
  return [
    ['expression', all(literal('"'), ref('choice'), literal('"'))],
    [
      'choice',
      all(
        ref('either'),
        repeat(all(literal(' if '), ref('either'), literal(' else '), ref('either')), 0, 4),
      ),
    ],
    ...levelRules('', [
      ...plain,
      all(literal('('), ref('inner-either'), literal(')')),
      all(one, literal('('), ref('inner-either'), literal(')')),
      all(many, literal('('), ref('inner-either'), more, literal(')')),
    ]),
    ...levelRules('inner-', [...plain, all(one, literal('('), braces, literal(')'))]),
  ]
}

/** The rules of precedence over some atoms. */
function levelRules(level: string, atoms: readonly Rule[]): readonly (readonly [string, Rule])[] {
  const chain = (operand: string, operators: readonly string[], most: number): Rule => {
    const signs = any(...operators.map((one) => literal(` ${one} `)))
    return all(ref(level + operand), repeat(all(signs, ref(level + operand)), 0, most))
  }
  const compare = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in'].map((one) =>
    literal(` ${one} `),
  )
  const right = all(any(...compare), ref(`${level}sum`))
  return [
    [`${level}either`, chain('parity', ['or'], 5)],
    [`${level}parity`, chain('both', ['xor'], 3)],
    [`${level}both`, chain('negation', ['and'], 5)],
    [`${level}negation`, all(maybe(literal('not ')), ref(`${level}comparison`))],
    [`${level}comparison`, all(ref(`${level}sum`), maybe(right))],
    [`${level}sum`, chain('product', ['+', '-'], 5)],
    [`${level}product`, chain('atom', ['*', '/', '//', '%'], 3)],
    [`${level}atom`, any(...atoms)],
  ]
}
