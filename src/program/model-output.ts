import { afterNewline, endOfLine, matchAt, skipBlanks } from './source.ts'

/** The part of a model's reply that is read as the program. */
export interface Region {
  readonly start: number
  readonly end: number
}

const LABEL = /(?:program[ \t]*:|step[ \t]*\d+[ \t]*[:.)]|\d+[.)](?!\d)|[-*](?![-*]))[ \t\u00a0]*/iy
const STEP = /[A-Za-z_][A-Za-z0-9_]*[ \t\u00a0]*=/y
const HEADER =
  /(?:(?:if|elif)[ \t\u00a0]*f?["'\u2018-\u201f]|for[ \t\u00a0]+[A-Za-z_]\w*[ \t\u00a0]+in\b)/y
const CLOSER = /(?:else[ \t\u00a0]*:?|end)[ \t\u00a0]*(?=[;#\r\n]|$)/y
const ATTEMPT = /(?:if|elif|for|else)\b/y

/**
 * The first fenced block that holds a statement, or the whole text without its byte-order mark.
 *
 * @source program-language §3, "Reading model output"
 */
export function programRegion(text: string): Region {
  for (const block of fencedBlocks(text)) {
    if (holdsStatement(text, block)) return block
  }
  return { start: text.charCodeAt(0) === 0xfeff ? 1 : 0, end: text.length }
}

function fencedBlocks(text: string): Region[] {
  const blocks: Region[] = []
  let open: { start: number; fence: string } | undefined
  for (let at = 0; at < text.length;) {
    const stop = endOfLine(text, at, text.length)
    const next = stop < text.length ? afterNewline(text, stop) : stop
    const fence = /^\s*(`{3,}|~{3,})([^`]*)$/.exec(text.slice(at, stop))
    if (open !== undefined && fence?.[1]?.startsWith(open.fence) && fence[2]?.trim() === '') {
      blocks.push({ start: open.start, end: at })
      open = undefined
    } else if (open === undefined && fence?.[1] !== undefined) {
      open = { start: next, fence: fence[1] }
    }
    at = Math.max(next, at + 1)
  }
  // A reply that was cut or forgot its closing fence.
  if (open !== undefined) blocks.push({ start: open.start, end: text.length })
  return blocks
}

function holdsStatement(text: string, { start, end }: Region): boolean {
  for (let at = start; at < end;) {
    const stop = endOfLine(text, at, end)
    if (beginsStatement(text, skipLabels(text, at, stop), stop, true)) return true
    at = stop < end ? afterNewline(text, stop) : end
  }
  return false
}

/** Offset after blanks and labels such as `Step 3:`, `3.`, `-`. */
export function skipLabels(text: string, at: number, end: number): number {
  let i = skipBlanks(text, at, end)
  for (;;) {
    const label = matchAt(LABEL, text, i, end)
    if (label === undefined || label.length === 0) return i
    i += label.length
  }
}

/**
 * True where a statement begins. Among prose only what cannot be prose counts; within a program a
 * line that begins with `if` or `for` is a header, however broken.
 */
export function beginsStatement(text: string, at: number, end: number, prose: boolean): boolean {
  if (matchAt(STEP, text, at, end) !== undefined) return true
  if (matchAt(HEADER, text, at, end) !== undefined) return true
  if (matchAt(CLOSER, text, at, end) !== undefined) return true
  return !prose && matchAt(ATTEMPT, text, at, end) !== undefined
}
