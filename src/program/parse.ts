import { Blocks } from './parse-blocks.ts'
import { readStep } from './parse-step.ts'
import { beginsStatement, programRegion, skipLabels } from './model-output.ts'
import { diagnostic, sortDiagnostics } from './diagnostic.ts'
import { hintIndex } from './hints.ts'
import { readHeader } from './parse-header.ts'
import { Scanner } from './scanner.ts'
import { afterNewline, endOfLine, isNewline } from './source.ts'
import type { Program } from './syntax.ts'

const MAX_TEXT = 20_000
const MAX_STEPS = 100
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y

/**
 * Reads a program out of a text, such as a model's reply. Never throws.
 *
 * @returns the tree of all that could be read, with all diagnostics of its text in order of position
 * @source program-language §3
 */
export function parse(text: string): Program {
  if (text.length > MAX_TEXT) return tooLong(text)
  const region = programRegion(text)
  const scan = new Scanner(text, region.start, region.end)
  const state: State = { scan, blocks: new Blocks(scan), steps: 0, any: false, finished: false }
  while (scan.at < scan.end) {
    if (isNewline(text.charCodeAt(scan.at))) scan.at = afterNewline(text, scan.at)
    else readLine(state)
  }
  const body = state.blocks.close()
  if (!state.any) {
    const at = scan.spanAt(0, 1)
    scan.diagnostics.push(diagnostic('P_EMPTY', 'expected a program, found no statement', at))
  }
  const diagnostics = sortDiagnostics(scan.diagnostics)
  return Object.freeze({ type: 'program', body, diagnostics, whole: true })
}

interface State {
  readonly scan: Scanner
  readonly blocks: Blocks
  steps: number
  /** A statement was seen. */
  any: boolean
  /** The RESULT step was seen. */
  finished: boolean
}

function tooLong(text: string): Program {
  const scan = new Scanner(text, 0, text.length)
  const message = `a text of ${text.length} characters; at most ${MAX_TEXT}`
  const diagnostics = [diagnostic('P_LIMIT', message, scan.spanAt(MAX_TEXT, 1))]
  return Object.freeze({
    type: 'program',
    body: Object.freeze([]),
    diagnostics: Object.freeze(diagnostics),
    whole: false,
  })
}

/** Reads the statements of one line, or of several where a call goes on. */
function readLine(state: State): void {
  const { scan } = state
  scan.blanks()
  const begin = scan.at
  scan.at = skipLabels(scan.text, begin, endOfLine(scan.text, begin, scan.end))
  if (scan.atLineEnd() || scan.peek() === '#') return scan.skipLine()
  const prose = !state.any || state.finished
  const stop = endOfLine(scan.text, scan.at, scan.end)
  if (prose && !beginsStatement(scan.text, scan.at, stop, true)) {
    scan.report('W_PROSE', 'a line that is no step; skipped', scan.spanAt(begin, stop - begin))
    return scan.skipLine()
  }
  do {
    scan.blanks()
    if (scan.atLineEnd() || scan.peek() === '#') return scan.skipLine()
    if (!readStatement(state)) return
  } while (endStatement(scan))
}

/** Reads one statement; false when the rest of its line is lost. */
function readStatement(state: State): boolean {
  const { scan } = state
  const stop = endOfLine(scan.text, scan.at, scan.end)
  if (!beginsStatement(scan.text, scan.at, stop, false)) {
    const word = scan.match(WORD)
    scan.at += word?.length ?? 0
    scan.blanks()
    scan.expected(
      word === undefined ? 'a step "NAME=TOOL(…)"' : 'a step "NAME=TOOL(…)" with "="',
      undefined,
      'P_EXPECTED_STEP',
    )
    scan.skipLine()
    return false
  }
  state.any = true
  const header = readHeader(scan)
  if (header !== undefined) {
    state.blocks.header(header)
    if (header.broken) scan.skipLine()
    return !header.broken
  }
  const step = readStep(scan, ++state.steps)
  if (state.steps === MAX_STEPS + 1) {
    scan.report('P_LIMIT', `more than ${MAX_STEPS} steps`, step.at)
  }
  state.blocks.add(step)
  const tool = step.type === 'step' ? step.tool.name : step.tool
  if (tool?.toUpperCase() === 'RESULT') state.finished = true
  return step.type === 'step'
}

/** After a statement: true when another may follow on the line. */
function endStatement(scan: Scanner): boolean {
  scan.blanks()
  if (scan.peek() === ';') {
    scan.at++
    return true
  }
  if (scan.atLineEnd() || scan.peek() === '#') {
    scan.skipLine()
    return false
  }
  if (scan.peek() === '[') scan.report('P_INDEX', 'an index after a call', scan.span(1), hintIndex)
  else scan.expected('";" or the end of the line')
  scan.skipLine()
  return false
}
