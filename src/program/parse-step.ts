import { readName, readValue } from './parse-value.ts'
import type { Scanner } from './scanner.ts'
import { afterNewline, endOfLine, matchAt, skipBlanks } from './source.ts'
import type { ArgNode, BrokenNode, StepNode } from './syntax.ts'

const NAMED = /[A-Za-z_][A-Za-z0-9_]*[ \t\u00a0]*=/y
const CONTINUES =
  /(?:[)\],'"[]|-?\d|[A-Za-z_][A-Za-z0-9_]*[ \t\u00a0]*=(?![ \t\u00a0]*[A-Za-z_]\w*[ \t\u00a0]*\())/y

/** Reads `NAME=TOOL(args)`; after an error, what is known of it, and the position is at a line's end. */
export function readStep(scan: Scanner, number: number): StepNode | BrokenNode {
  const begin = scan.at
  const known: { name?: StepNode['name']; tool?: StepNode['tool'] } = {}
  const args = readCall(scan, known)
  const { name, tool } = known
  if (args !== undefined && name !== undefined && tool !== undefined) {
    const at = scan.spanAt(begin, scan.at - begin)
    return Object.freeze({ type: 'step', number, name, tool, args: Object.freeze(args), at })
  }
  recover(scan, begin)
  const at = scan.spanAt(begin, Math.max(1, scan.at - begin))
  const words = scan.text.slice(begin, scan.at).match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []
  return Object.freeze({
    type: 'broken',
    number,
    name: name ?? null,
    tool: tool?.name ?? null,
    words: Object.freeze(words),
    at,
  })
}

function readCall(
  scan: Scanner,
  known: { name?: StepNode['name']; tool?: StepNode['tool'] },
): ArgNode[] | undefined {
  known.name = readName(scan, 'the name of a variable')
  if (known.name === undefined) return undefined
  scan.blanks()
  scan.at++ // the "=" that made this a step
  scan.blanks()
  known.tool = readName(scan, 'the name of a tool')
  if (known.tool === undefined) return undefined
  scan.blanks()
  if (scan.peek() !== '(') return scan.expected('"("')
  scan.at++
  scan.blanksAndNewlines()
  return readArgs(scan, known.tool.name.toUpperCase() === 'EVAL')
}

function readArgs(scan: Scanner, expression: boolean): ArgNode[] | undefined {
  const args: ArgNode[] = []
  while (scan.peek() !== ')') {
    const begin = scan.at
    const named = scan.match(NAMED) !== undefined
    if (!named && args.some((arg) => arg.name !== null)) {
      return scan.expected('a named argument', 'Positional arguments come before named ones.')
    }
    const name = named ? readName(scan, 'an argument') : null
    if (name === undefined) return undefined
    if (name !== null) {
      scan.blanks()
      scan.at++ // the "=" seen by NAMED
      scan.blanks()
    }
    const value = readValue(scan, expression)
    if (value === undefined) return undefined
    const at = scan.spanAt(begin, value.at.offset + value.at.length - begin)
    args.push(Object.freeze({ name, value, at }))
    if (!scan.separator(')', value)) return undefined
  }
  scan.at++
  return args
}

/**
 * Goes to the end of the line. When the call was spread over lines, those that plainly belong to it
 * go with it, so that one fault gives one error.
 */
function recover(scan: Scanner, begin: number): void {
  const firstLine = endOfLine(scan.text, begin, scan.end)
  let spread = scan.at > firstLine
  scan.skipLine()
  while (scan.at < scan.end) {
    const next = skipBlanks(scan.text, afterNewline(scan.text, scan.at), scan.end)
    const stop = endOfLine(scan.text, next, scan.end)
    const closing = /^[)\],]/.test(scan.text.slice(next, next + 1))
    if (!closing && !(spread && matchAt(CONTINUES, scan.text, next, stop) !== undefined)) return
    spread = true
    scan.at = stop
    if (/\)[ \t\u00a0;]*(?:#.*)?$/.test(scan.text.slice(next, stop))) return
  }
}
