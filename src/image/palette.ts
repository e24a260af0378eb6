/** How one kind of thing is drawn: never told apart by colour alone. */
export interface Pen {
  /** `#rrggbb`. */
  readonly colour: string
  /** Dash and gap in widths of the line; empty for a full line. */
  readonly dash: readonly number[]
}

/**
 * Colours that stay apart for colour-blind eyes.
 *
 * The first is the one that photographs hold least of.
 * @source after Okabe and Ito, Color Universal Design (2008), brightened for use on photographs
 */
const COLOURS = [
  '#ff3d9a',
  '#1c8fe3',
  '#12b886',
  '#f5b50a',
  '#e8590c',
  '#6fd3f7',
  '#f4ec4a',
  '#9a6bff',
] as const

const DASHES: readonly (readonly number[])[] = [[], [4, 2], [1.2, 1.6], [5, 1.6, 1.2, 1.6]]

/** The pen of the n-th kind of thing. */
export function penOf(n: number): Pen {
  const colour = COLOURS[n % COLOURS.length] ?? COLOURS[0]
  const dash = DASHES[(n + Math.floor(n / COLOURS.length)) % DASHES.length] ?? []
  return { colour, dash }
}

/** Pens with a meaning in the rationale (program-language §10). */
export const BEST_PEN: Pen = Object.freeze({ colour: '#e02020', dash: [] })
export const OTHER_PEN: Pen = Object.freeze({ colour: '#1f6feb', dash: [3, 1.6] })
export const CHOSEN_PEN: Pen = Object.freeze({ colour: '#12a150', dash: [] })
/** TAG's green. */
export const TAG_PEN: Pen = Object.freeze({ colour: '#008000', dash: [] })

/** Black or white, whichever reads better on a colour. */
export function inkOn(colour: string): '#000000' | '#ffffff' {
  const light = relativeLuminance(colour)
  // WCAG contrast with white against contrast with black.
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000'
}

/** WCAG relative luminance of `#rrggbb`, 0..1. */
export function relativeLuminance(colour: string): number {
  const n = parseInt(colour.slice(1), 16)
  const linear = [n >> 16, (n >> 8) & 255, n & 255].map((byte) => {
    const v = byte / 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
}
