/** A piece of a grammar, as data. */
export type Rule =
  | { readonly type: 'literal'; readonly text: string }
  /** One character of a class, written as the body of `[…]`. */
  | { readonly type: 'class'; readonly body: string }
  | { readonly type: 'ref'; readonly name: string }
  | { readonly type: 'all'; readonly parts: readonly Rule[] }
  | { readonly type: 'any'; readonly options: readonly Rule[] }
  | { readonly type: 'repeat'; readonly of: Rule; readonly min: number; readonly max: number }

export type GrammarRules = ReadonlyMap<string, Rule>

export const literal = (text: string): Rule => ({ type: 'literal', text })
export const oneOf = (body: string): Rule => ({ type: 'class', body })
export const ref = (name: string): Rule => ({ type: 'ref', name })
export const all = (...parts: readonly Rule[]): Rule => ({ type: 'all', parts })
export const any = (...options: readonly Rule[]): Rule => ({ type: 'any', options })
export const repeat = (of: Rule, min: number, max = Infinity): Rule => ({
  type: 'repeat',
  of,
  min,
  max,
})
export const maybe = (of: Rule): Rule => repeat(of, 0, 1)

/** The rules as GBNF, the notation of llama.cpp; the first rule is `root`. */
export function printRules(rules: GrammarRules): string {
  return [...rules].map(([name, rule]) => `${name} ::= ${printRule(rule, false)}`).join('\n') + '\n'
}

function printRule(rule: Rule, inside: boolean): string {
  switch (rule.type) {
    case 'literal':
      return `"${rule.text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
    case 'class':
      return `[${rule.body}]`
    case 'ref':
      return rule.name
    case 'all': {
      const text = rule.parts.map((part) => printRule(part, part.type === 'any')).join(' ')
      return inside && rule.parts.length > 1 ? `(${text})` : text
    }
    case 'any': {
      const text = rule.options.map((option) => printRule(option, false)).join(' | ')
      return inside ? `(${text})` : text
    }
    case 'repeat':
      return printRule(rule.of, true) + times(rule.min, rule.max)
    default:
      return rule satisfies never
  }
}

function times(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return `{${min},${max}}`
}
