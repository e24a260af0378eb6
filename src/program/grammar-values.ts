import { expressionRule, PLAIN } from './grammar-expression.ts'
import type { KnownNames } from './grammar-names.ts'
import { all, any, literal, maybe, oneOf, repeat, words } from './grammar-rules.ts'
import type { Rule, RuleBook } from './grammar-rules.ts'
import { accepts } from './kind.ts'
import type { ArgSpec } from './signature.ts'

/** Characters of a text at most, `{NAME}` counted as one. */
const TEXT_LENGTH = 80
const LIST_LENGTH = 10
const LIST_TEXT_LENGTH = 40

/** Everything a value may be; undefined when nothing known passes. */
export function valueRule(arg: ArgSpec, known: KnownNames, book: RuleBook): Rule | undefined {
  const { type, values } = arg
  if (values !== undefined) {
    return book.once(values, () => {
      const plain = values.filter((word) => !/['\\{}]/.test(word))
      return book.intern('word', all(literal("'"), words(plain), literal("'")))
    })
  }
  switch (type) {
    case 'image':
    case 'objects':
    case 'list':
    case 'variable': {
      const names = known.of((kind) => accepts(type, kind))
      return names.length === 0 ? undefined : words(names)
    }
    case 'text':
      return textRule(known.shown(), book)
    case 'texts': {
      const names = known.of((kind) => accepts(type, kind))
      const options = [textRule(known.shown(), book), book.once('list', () => listRule(book))]
      return any(...options, ...(names.length === 0 ? [] : [words(names)]))
    }
    case 'expression':
      return expressionRule(known, book)
    case 'integer':
    case 'number':
      return book.once(arg, () => book.intern('number', numberRule(arg)))
    case 'bool':
      return any(literal('True'), literal('False'))
    case 'emoji':
      return book.intern('word', all(literal("'"), repeat(oneOf('a-z0-9_'), 1, 40), literal("'")))
    default:
      return type satisfies never
  }
}

function textRule(names: readonly string[], book: RuleBook): Rule {
  return book.once(`text ${names.join(' ')}`, () => book.intern('text', anyText(names)))
}

/** A text with these names in braces, in either quotes. */
function anyText(names: readonly string[]): Rule {
  const braces = names.length === 0 ? [] : [all(literal('{'), words(names), literal('}'))]
  const quoted = (quote: string): Rule =>
    all(
      literal(quote),
      anyOf(oneOf(`^${quote} ${PLAIN}`), ...braces),
      repeat(anyOf(oneOf(`^${quote}${PLAIN}`), ...braces), 0, TEXT_LENGTH - 1),
      literal(quote),
    )
  return any(quoted("'"), quoted('"'))
}

function anyOf(first: Rule, ...others: readonly Rule[]): Rule {
  return others.length === 0 ? first : any(first, ...others)
}

function listRule(book: RuleBook): Rule {
  const item = book.intern(
    'item',
    all(
      literal("'"),
      oneOf(`^' ${PLAIN}`),
      repeat(oneOf(`^'${PLAIN}`), 0, LIST_TEXT_LENGTH - 1),
      literal("'"),
    ),
  )
  const more = repeat(all(literal(','), item), 0, LIST_LENGTH - 1)
  return book.intern('list', all(literal('['), item, more, literal(']')))
}

const DIGIT = oneOf('0-9')
const LARGEST = 999_999
const MOST_NUMBERS = 1_000

/** Numbers within their range; of a range with many, the lowest thousand. */
function numberRule({ type, min = -Infinity, max = Infinity }: ArgSpec): Rule {
  const sign = min === -Infinity ? [maybe(literal('-'))] : []
  const fraction = all(literal('.'), repeat(DIGIT, 1, 4))
  if (min <= 0 && max >= LARGEST && (min === 0 || min === -Infinity)) {
    const whole = any(literal('0'), all(oneOf('1-9'), repeat(DIGIT, 0, 5)))
    return all(...sign, whole, ...(type === 'number' ? [maybe(fraction)] : []))
  }
  const low = min === -Infinity ? Math.ceil(max) - MOST_NUMBERS : Math.ceil(min)
  const count = Math.min(Math.floor(max) - low + 1, MOST_NUMBERS)
  const whole = Array.from({ length: Math.max(0, count) }, (_, i) => low + i)
  const ends = type === 'number' ? [min, max].filter((end) => Number.isFinite(end)) : []
  const inner = whole.filter((one) => (one >= 0 ? one + 1 <= max : one - 1 >= min))
  return any(
    words([...whole, ...ends].map(String)),
    ...(type === 'number' && inner.length > 0 ? [all(words(inner.map(String)), fraction)] : []),
  )
}
