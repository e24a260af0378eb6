import type { ArgNode, Program, Statement, StepNode, StringNode, ValueNode } from './syntax.ts'

/**
 * The canonical text of a program: no blanks, one statement a line; `parse(print(tree))` equals
 * `tree` but for positions. Lines that could not be read are left out.
 *
 * @source program-language §3, "Printing"
 */
export function print(program: Program): string {
  return printBody(program.body).join('\n')
}

function printBody(body: readonly Statement[]): string[] {
  return body.flatMap(printStatement)
}

function printStatement(statement: Statement): string[] {
  switch (statement.type) {
    case 'step':
      return [printStep(statement)]
    case 'if':
      return [
        ...statement.arms.flatMap((arm, i) => [
          arm.condition === null
            ? 'else'
            : `${i === 0 ? 'if' : 'elif'} ${printValue(arm.condition)}`,
          ...printBody(arm.body),
        ]),
        'end',
      ]
    case 'for': {
      const parts = [`for ${statement.item.name} in ${statement.list.name}`]
      if (statement.limit !== null) parts.push(`limit ${printValue(statement.limit)}`)
      for (const { name, from } of statement.carries)
        parts.push(`carry ${name.name} from ${from.name}`)
      for (const { item, into } of statement.gathers)
        parts.push(`gather ${item.name} as ${into.name}`)
      return [parts.join(' '), ...printBody(statement.body), 'end']
    }
    case 'broken':
      return []
    default:
      return statement satisfies never
  }
}

/** One step as `NAME=TOOL(arg=value,…)`. */
export function printStep(step: StepNode): string {
  return `${step.name.name}=${step.tool.name}(${step.args.map(printArg).join(',')})`
}

function printArg(arg: ArgNode): string {
  return arg.name === null ? printValue(arg.value) : `${arg.name.name}=${printValue(arg.value)}`
}

/** A value as the program's text has it. */
export function printValue(node: ValueNode): string {
  switch (node.type) {
    case 'name':
      return node.name
    case 'string':
      return node.expression ? printExpression(node.text) : printText(node)
    case 'number':
      return String(node.value)
    case 'constant':
      return node.value === null ? 'None' : node.value ? 'True' : 'False'
    case 'list':
      return `[${node.items.map(printValue).join(',')}]`
    default:
      return node satisfies never
  }
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function printText(node: StringNode): string {
  const { text } = node
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(/[\u0000-\u001f\u007f]/g, (unit) => NAMED_ESCAPES[unit] ?? unicodeEscape(unit))
  return quote + escaped + quote
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Quotes an expression. Its own backslash pairs stay as they are, so a delimiter that it holds
 * escaped cannot be ours: then the other one is taken, or that pair is written as `\u0027`.
 */
function printExpression(text: string): string {
  const first = text.includes("'") && !text.includes('"') ? '"' : "'"
  const quote = holdsPair(text, first) && !holdsPair(text, other(first)) ? other(first) : first
  const code = quote === "'" ? '\\u0027' : '\\u0022'
  const body = text.replace(/\\[\s\S]|['"\r\n]/g, (unit) => {
    if (unit === quote) return `\\${quote}`
    if (unit === `\\${quote}`) return code
    return unit === '\n' || unit === '\r' ? ' ' : unit
  })
  return quote + body + quote
}

function other(quote: string): string {
  return quote === "'" ? '"' : "'"
}

function holdsPair(text: string, quote: string): boolean {
  return [...text.matchAll(/\\[\s\S]/g)].some((pair) => pair[0] === `\\${quote}`)
}
