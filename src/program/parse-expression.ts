import { ModelFault } from '../base/index.ts'
import { checkCall } from './expression-functions.ts'
import { expressionTokens, syntaxFault } from './expression-tokens.ts'
import type { Token } from './expression-tokens.ts'
import type { Arithmetic, Comparison, Connective, Expression } from './expression-syntax.ts'

const MAX_LENGTH = 2000
const MAX_DEPTH = 50
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in'])
const CONSTANTS: ReadonlyMap<string, string | boolean | null> = new Map<
  string,
  string | boolean | null
>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
  ['null', null],
  ['yes', 'yes'],
  ['no', 'no'],
])

/**
 * Reads an expression of `EVAL` or a block condition.
 *
 * @throws ModelFault `X_SYNTAX`, `X_FUNCTION`, `X_LIMIT`; `fields.at` is the offset from 0
 * @source program-language §7
 */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH) {
    throw new ModelFault('X_LIMIT', `an expression of ${text.length} characters`, {
      fields: { at: MAX_LENGTH },
      cure: `At most ${MAX_LENGTH}.`,
    })
  }
  return new Reader(expressionTokens(text)).whole()
}

/** Recursive descent, one method for each level of the grammar. */
class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): Expression {
    const expression = this.#choice()
    if (this.#token().type !== 'end') throw this.#unexpected('an operator')
    return expression
  }

  #token(ahead = 0): Token {
    // The last token is `end`, so there is always one.
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)] as Token
  }

  #operator(ahead = 0): string | undefined {
    const token = this.#token(ahead)
    return token.type === 'operator' ? token.operator : undefined
  }

  /** Takes the operator if it is next. */
  #take(operator: string): boolean {
    if (this.#operator() !== operator) return false
    this.#next++
    return true
  }

  #expect(operator: string): void {
    if (!this.#take(operator)) throw this.#unexpected(`"${operator}"`)
  }

  #unexpected(expected: string): ModelFault {
    const token = this.#token()
    const found = token.type === 'end' ? 'the end' : `"${tokenWord(token)}"`
    return syntaxFault(`expected ${expected}, found ${found}`, token.at, foreignHint(token))
  }

  #deeper<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) {
      throw new ModelFault('X_LIMIT', `an expression nested deeper than ${MAX_DEPTH}`, {
        fields: { at: this.#token().at },
      })
    }
    const result = read()
    this.#depth--
    return result
  }

  #choice(): Expression {
    return this.#deeper(() => {
      const then = this.#connective('or', () =>
        this.#connective('xor', () => this.#connective('and', () => this.#not())),
      )
      if (!this.#take('if')) return then
      const condition = this.#connective('or', () =>
        this.#connective('xor', () => this.#connective('and', () => this.#not())),
      )
      this.#expect('else')
      const otherwise = this.#choice()
      return { type: 'choice', then, condition, otherwise, at: then.at, end: otherwise.end }
    })
  }

  #connective(operator: Connective, operand: () => Expression): Expression {
    const first = operand()
    if (this.#operator() !== operator) return first
    const operands = [first]
    while (this.#take(operator)) operands.push(operand())
    return { type: 'connective', operator, operands, at: first.at, end: endOf(operands) }
  }

  #not(): Expression {
    const at = this.#token().at
    if (!this.#take('not')) return this.#comparison()
    const of = this.#deeper(() => this.#not())
    return { type: 'not', of, at, end: of.end }
  }

  #comparison(): Expression {
    const first = this.#sum()
    const rest: { operator: Comparison; right: Expression }[] = []
    for (;;) {
      const operator = this.#comparisonSign()
      if (operator === undefined) break
      rest.push({ operator, right: this.#sum() })
    }
    if (rest.length === 0) return first
    return {
      type: 'comparison',
      first,
      rest,
      at: first.at,
      end: rest.at(-1)?.right.end ?? first.end,
    }
  }

  #comparisonSign(): Comparison | undefined {
    const operator = this.#operator()
    if (operator === 'not' && this.#operator(1) === 'in') {
      this.#next += 2
      return 'not in'
    }
    if (operator === undefined || !COMPARISONS.has(operator)) return undefined
    this.#next++
    return operator as Comparison
  }

  #sum(): Expression {
    return this.#arithmetic(['+', '-'], () =>
      this.#arithmetic(['*', '/', '//', '%'], () => this.#sign()),
    )
  }

  #arithmetic(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = this.#operator()
      if (operator === undefined || !operators.includes(operator)) return left
      this.#next++
      const right = operand()
      left = {
        type: 'arithmetic',
        operator: operator as Arithmetic,
        left,
        right,
        at: left.at,
        end: right.end,
      }
    }
  }

  #sign(): Expression {
    const at = this.#token().at
    const sign = this.#take('-') ? '-' : this.#take('+') ? '+' : undefined
    if (sign === undefined) return this.#atom()
    const of = this.#deeper(() => this.#sign())
    return { type: 'sign', sign, of, at, end: of.end }
  }

  #atom(): Expression {
    const token = this.#token()
    const { at, end } = token
    switch (token.type) {
      case 'number':
        this.#next++
        return { type: 'constant', value: token.value, at, end }
      case 'text':
        this.#next++
        return { type: 'template', parts: token.parts, at, end }
      case 'variable':
        this.#next++
        return { type: 'variable', name: token.name, at, end }
      case 'name':
        this.#next++
        return this.#named(token.name, at, end)
      default:
        return this.#bracketed(at)
    }
  }

  #bracketed(at: number): Expression {
    if (this.#take('(')) {
      const inner = this.#choice()
      this.#expect(')')
      return inner
    }
    if (this.#take('[')) {
      const items = this.#items(']')
      return { type: 'list', items, at, end: this.#tokens[this.#next - 1]?.end ?? at }
    }
    throw this.#unexpected('a value')
  }

  #named(name: string, at: number, end: number): Expression {
    if (this.#take('(')) {
      const args = this.#items(')')
      checkCall(name, args.length, at)
      return { type: 'call', name, args, at, end: this.#tokens[this.#next - 1]?.end ?? end }
    }
    if (CONSTANTS.has(name))
      return { type: 'constant', value: CONSTANTS.get(name) ?? null, at, end }
    return { type: 'variable', name, at, end }
  }

  #items(close: ')' | ']'): Expression[] {
    const items: Expression[] = []
    if (this.#take(close)) return items
    do items.push(this.#choice())
    while (this.#take(','))
    this.#expect(close)
    return items
  }
}

function endOf(list: readonly Expression[]): number {
  return list.at(-1)?.end ?? 0
}

function tokenWord(token: Token): string {
  switch (token.type) {
    case 'operator':
      return token.operator
    case 'name':
    case 'variable':
      return token.name
    case 'number':
      return String(token.value)
    case 'text':
      return 'a text'
    case 'end':
      return 'the end'
    default:
      return token satisfies never
  }
}

function foreignHint(token: Token): string | undefined {
  if (token.type === 'operator' && token.operator === '[') return 'No indexing; use SELECT or for.'
  if (token.type === 'name' && token.name === 'is') return 'Use ==.'
  if (token.type === 'end') return undefined
  if (token.type === 'text' || token.type === 'name') return 'Put an operator between two values.'
  return undefined
}
