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

/** Exactly these texts. Beginnings are shared, so that a decoder follows few paths at once. */
export function words(texts: readonly string[]): Rule {
  const groups = Map.groupBy(new Set(texts), (text) => [...text][0] ?? '')
  const isEnd = groups.delete('')
  const options = [...groups.values()].map((group) => {
    const start = sharedStart(group)
    const rests = group.map((text) => text.slice(start.length))
    return rests.length === 1 ? literal(start) : all(literal(start), words(rests))
  })
  const [only] = options
  const rule = options.length === 1 && only !== undefined ? only : any(...options)
  return isEnd ? maybe(rule) : rule
}

function sharedStart([first = '', ...others]: readonly string[]): string {
  let end = first.length
  while (!others.every((text) => text.startsWith(first.slice(0, end)))) end--
  return first.slice(0, end)
}

/** Rules with names; equal ones are kept once. */
export interface RuleBook {
  readonly rules: GrammarRules
  /** A reference to this rule, under a name that begins with `stem`. */
  intern(stem: string, rule: Rule): Rule
  /** What `make` gave for an equal key before, else what it gives now. */
  once(key: unknown, make: () => Rule): Rule
}

export function createRuleBook(): RuleBook {
  const rules = new Map<string, Rule>()
  const names = new Map<string, string>()
  const made = new Map<unknown, Rule>()
  return {
    rules,
    once: (key, make) => {
      const rule = made.get(key) ?? make()
      made.set(key, rule)
      return rule
    },
    intern: (stem, rule) => {
      const body = printRule(rule, false)
      const name = names.get(body) ?? `${stem}-${rules.size}`
      names.set(body, name)
      rules.set(name, rule)
      return ref(name)
    },
  }
}

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
      // A sequence within a sequence needs no brackets.
      const text = rule.parts.map((part) => printRule(part, part.type !== 'all')).join(' ')
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
