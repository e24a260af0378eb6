import type { Painting } from './ground.ts'
import type { Stream } from './stream.ts'

/** Five by seven pixels a letter, a row a number, the highest bit left. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  E: [31, 16, 16, 30, 16, 16, 31],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  P: [30, 17, 17, 30, 16, 16, 16],
  S: [15, 16, 16, 14, 1, 1, 30],
}

/** Writes a word across the picture in half-clear white, in rows, as picture agencies do. */
export function stamp({ width, height, rgb }: Painting, word: string, stream: Stream): void {
  const scale = stream.range(2, 4)
  const step = 6 * scale
  const [left, top] = [stream.range(0, step), stream.range(0, 20)]
  for (let line = 0, y = top; y + 7 * scale < height; line++, y += stream.range(40, 70)) {
    for (let i = 0, x = left + (line % 2) * step; x + 5 * scale < width; i++, x += step) {
      const rows = LETTERS[word[i % (word.length + 1)] ?? ''] ?? []
      for (const [row, bits] of rows.entries()) {
        for (let column = 0; column < 5; column++) {
          if (((bits >> (4 - column)) & 1) === 0) continue
          lighten(rgb, width, x + column * scale, y + row * scale, scale)
        }
      }
    }
  }
}

function lighten(rgb: Uint8Array, width: number, x: number, y: number, side: number): void {
  for (let dy = 0; dy < side; dy++) {
    for (let i = ((y + dy) * width + x) * 3, end = i + side * 3; i < end; i++) {
      rgb[i] = (rgb[i] as number) + ((255 - (rgb[i] as number)) >> 1)
    }
  }
}
