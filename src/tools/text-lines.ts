import type { TextLine } from './backends.ts'

/** The text as it is read: pieces of a line joined by blanks, lines by `between`. */
export function joinLines(pieces: readonly TextLine[], between = '\n'): string {
  const lines = new Map<number, string[]>()
  for (const { line, text } of pieces) lines.set(line, [...(lines.get(line) ?? []), text])
  return [...lines.values()].map((texts) => texts.join(' ')).join(between)
}

/**
 * Puts pieces of text into reading order: those whose middle lines differ by less than half their
 * mean height are one line, read from left to right; lines from top to bottom.
 *
 * @source photo-starter §8
 */
export function readingOrder<T extends Pick<TextLine, 'box'>>(
  pieces: readonly T[],
): readonly (T & { readonly line: number })[] {
  const middle = (one: T): number => (one.box[1] + one.box[3]) / 2
  const height = (one: T): number => one.box[3] - one.box[1]
  const lines: T[][] = []
  for (const piece of pieces.toSorted((a, b) => middle(a) - middle(b))) {
    const line = lines.find((other) =>
      other.some(
        (one) =>
          Math.abs(middle(one) - middle(piece)) < (height(one) + height(piece)) / 4 &&
          apart(one, piece),
      ),
    )
    if (line === undefined) lines.push([piece])
    else line.push(piece)
  }
  return lines.flatMap((line, i) =>
    line.toSorted((a, b) => a.box[0] - b.box[0]).map((one) => ({ ...one, line: i })),
  )
}

/** Whether two pieces lie beside each other, not over each other. */
function apart(a: Pick<TextLine, 'box'>, b: Pick<TextLine, 'box'>): boolean {
  const shared = Math.min(a.box[2], b.box[2]) - Math.max(a.box[0], b.box[0])
  return shared < 0.5 * Math.min(a.box[2] - a.box[0], b.box[2] - b.box[0])
}
