import type { KnownNames } from './grammar-names.ts'
import { all, any, literal, maybe, oneOf, repeat, words } from './grammar-rules.ts'
import type { Rule, RuleBook } from './grammar-rules.ts'
import { itemKind } from './kind.ts'

/** What texts do not hold: backslashes, braces, control characters, blanks other than the space. */
export const PLAIN =
  '\\\\{}\\x00-\\x1F\\x7F-\\xA0\\u1680\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u2064\\u3000\\uFEFF'

const WORD_LENGTH = 24

/**
 * EVAL's expressions over the known names (program-language §7): in double quotes, their texts in
 * single ones, or without texts in single quotes. Brackets and calls hold no others, so that the grammar
 * has no recursion and what it gives is short.
 *
 * @returns undefined where nothing is known that an expression could be about
 */
export function expressionRule(known: KnownNames, book: RuleBook): Rule | undefined {
  const names = known.shown()
  if (names.length === 0) return undefined
  return book.once(`expression ${names.join(' ')}`, () => anyExpression(known, names, book))
}

function anyExpression(known: KnownNames, names: readonly string[], book: RuleBook): Rule {
  const variable = book.intern('variable', all(literal('{'), words(names), literal('}')))
  const text = book.intern(
    'word',
    all(literal("'"), repeat(oneOf(`^'"${PLAIN}`), 1, WORD_LENGTH), literal("'")),
  )
  const lists = known.of((kind) => itemKind(kind) !== undefined && kind !== 'any')
  const listCalls = lists.filter((name) => names.includes(name)).map((name) => `len({${name}})`)
  const parts = { book, variable, listCalls }
  return any(
    all(literal('"'), choiceRule({ ...parts, texts: [text] }), literal('"')),
    all(literal("'"), choiceRule({ ...parts, texts: [] }), literal("'")),
  )
}

interface Parts {
  readonly book: RuleBook
  readonly variable: Rule
  readonly listCalls: readonly string[]
  readonly texts: readonly Rule[]
}

/** `a if condition else b if … else c`, or a condition alone. */
function choiceRule(parts: Parts): Rule {
  const { book, texts } = parts
  const sum = sumRule(parts)
  const value = book.intern('value', any(sum, ...texts, joinedRule(parts)))
  const condition = conditionRule(parts, sum)
  const choice = all(literal(' if '), condition, literal(' else '), value)
  return book.intern('choice', any(condition, all(value, repeat(choice, 1, 2))))
}

const SIGNS = words([' + ', ' - ', ' * ', ' / ', ' // ', ' % '])
const COMPARISONS = words([' == ', ' != ', ' < ', ' <= ', ' > ', ' >= '])
const JOINTS = words([' and ', ' or ', ' xor '])
const NUMBER = any(
  literal('0'),
  all(oneOf('1-9'), repeat(oneOf('0-9'), 0, 5), maybe(all(literal('.'), oneOf('0-9')))),
)

function sumRule({ book, variable, listCalls }: Parts): Rule {
  const many = all(words(['min(', 'max(']), variable, repeat(all(literal(', '), variable), 1, 2))
  const one = all(words(['abs(', 'round(', 'int(']), variable)
  const operand = book.intern(
    'operand',
    any(
      variable,
      NUMBER,
      all(any(one, many), literal(')')),
      all(literal('('), variable, SIGNS, variable, literal(')')),
      ...(listCalls.length === 0 ? [] : [words(listCalls)]),
    ),
  )
  return book.intern('sum', all(operand, repeat(all(SIGNS, operand), 0, 2)))
}

/** Several pieces as one text. */
function joinedRule({ variable, texts }: Parts): Rule {
  const piece = any(variable, ...texts)
  return all(literal('concat('), piece, repeat(all(literal(', '), piece), 1, 2), literal(')'))
}

/** Tests of sums, and in brackets of single variables. */
function conditionRule(parts: Parts, sum: Rule): Rule {
  const { book, variable } = parts
  const single = testRule(parts, variable, [])
  const pair = all(single, maybe(all(JOINTS, single)))
  const test = testRule(parts, sum, [all(literal('('), pair, literal(')'))])
  return book.intern('condition', all(test, repeat(all(JOINTS, test), 0, 2)))
}

/** `not 'red' in {ANSWER0}`, `{ANSWER0} > 2`: texts are compared with variables only. */
function testRule({ book, variable, texts }: Parts, left: Rule, more: readonly Rule[]): Rule {
  const within = all(words([' in ', ' not in ']), variable)
  const simple = any(variable, NUMBER)
  const sum = book.intern('side', all(simple, maybe(all(SIGNS, simple))))
  const right = all(COMPARISONS, any(sum, ...texts))
  const text = texts.map((one) => all(one, any(within, all(words([' == ', ' != ']), variable))))
  const compared = all(left, maybe(any(right, within)))
  return book.intern('test', all(maybe(literal('not ')), any(compared, ...text, ...more)))
}
