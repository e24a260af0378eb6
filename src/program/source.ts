import type { Span } from './syntax.ts'

/** The text as received, with a way from offsets to lines and columns. */
export interface Source {
  readonly text: string
  span(offset: number, length?: number): Span
}

/** Newlines are LF, CRLF or CR. */
export function source(text: string): Source {
  const starts = [0]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1)
  }
  return {
    text,
    span: (offset, length = 1) => {
      const index = lineIndex(starts, offset)
      const column = offset - (starts[index] ?? 0) + 1
      return Object.freeze({ offset, line: index + 1, column, length })
    },
  }
}

/** Index of the last start that is not after `offset`. */
function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** Offset of the newline that ends the line of `at`, or `end`. */
export function endOfLine(text: string, at: number, end: number): number {
  let i = at
  while (i < end && !isNewline(text.charCodeAt(i))) i++
  return i
}

/** Offset after the newline at `at`; CRLF is one. */
export function afterNewline(text: string, at: number): number {
  return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1
}

export function isNewline(unit: number): boolean {
  return unit === 10 || unit === 13
}

/** Space, tab, no-break space. */
export function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 0xa0
}

export function skipBlanks(text: string, at: number, end: number): number {
  let i = at
  while (i < end && isBlank(text.charCodeAt(i))) i++
  return i
}

/** The match of a sticky pattern at an offset, if it lies before `end`. */
export function matchAt(
  pattern: RegExp,
  text: string,
  at: number,
  end: number,
): string | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)?.[0]
  return found !== undefined && at + found.length <= end ? found : undefined
}
