import { styleText } from 'node:util'
import type { Io, Sink } from './io.ts'

/** Paints words, or leaves them as they are. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

/**
 * Colours where a person watches: a terminal without NO_COLOR, or FORCE_COLOR. `--no-color` has the
 * last word.
 */
export function paintFor(sink: Sink, io: Io, wanted = true): Paint {
  const { NO_COLOR = '', FORCE_COLOR = '' } = io.env
  const forced = FORCE_COLOR !== '' && FORCE_COLOR !== '0'
  const on = wanted && (forced || (NO_COLOR === '' && sink.isTTY === true))
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    on ? styleText(format, text, { validateStream: false }) : text
  return {
    ...{ bold: paint('bold'), dim: paint('dim'), red: paint('red') },
    ...{ green: paint('green'), yellow: paint('yellow'), cyan: paint('cyan') },
  }
}

/** Rows as columns, padded to the widest cell; the last column is left ragged. */
export function table(rows: readonly (readonly string[])[], gap = '  '): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell))
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === row.length - 1 ? cell : cell + pad(widths[i] ?? 0, cell)))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

const pad = (to: number, cell: string): string => ' '.repeat(Math.max(0, to - width(cell)))

/** Columns a text takes, without colours. */
function width(text: string): number {
  return [...text.replace(/\u001b\[[0-9;]*m/g, '')].length
}
