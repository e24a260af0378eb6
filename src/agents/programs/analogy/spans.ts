import { singular } from '../../../memory/index.ts'
import type { Token } from './tokens.ts'

/** A run of tokens, `[start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A run of words of a program's text that stands in the instruction, word for word. */
export interface Shared extends Span {
  /** The words in the text, `[from, to)`, one for each token. */
  readonly from: number
  readonly to: number
}

/** Can begin and end a thing. */
export function isOpen(token: Token | undefined): boolean {
  return token?.cls === 'word' || token?.cls === 'color' || token?.cls === 'kind'
}

/** May stand inside a thing: `bottle of wine`, `man with the hat`. */
export function isGlue(token: Token | undefined): boolean {
  return token?.cls === 'prep' || token?.cls === 'det'
}

/**
 * The longest runs of words that a text shares with an instruction, longest first taken.
 *
 * @param glue  runs may hold prepositions and determiners inside
 */
export function sharedRuns(
  text: readonly string[],
  tokens: readonly Token[],
  glue: boolean,
): readonly Shared[] {
  const runs: Shared[] = []
  const taken = new Set<number>()
  for (;;) {
    const best = longestRun(text, tokens, glue, taken)
    if (best === undefined) return runs.sort((a, b) => a.from - b.from)
    runs.push(best)
    for (let i = best.from; i < best.to; i++) taken.add(i)
  }
}

function longestRun(
  text: readonly string[],
  tokens: readonly Token[],
  glue: boolean,
  taken: ReadonlySet<number>,
): Shared | undefined {
  let best: Shared | undefined
  for (let from = 0; from < text.length; from++) {
    for (let start = 0; start < tokens.length; start++) {
      if (!isOpen(tokens[start])) continue
      let length = 0
      while (sameWord(text[from + length], tokens[start + length], glue)) {
        if (taken.has(from + length)) break
        length++
      }
      while (length > 0 && !isOpen(tokens[start + length - 1])) length--
      if (length > 0 && length > (best === undefined ? 0 : best.end - best.start)) {
        best = { start, end: start + length, from, to: from + length }
      }
    }
  }
  return best
}

function sameWord(word: string | undefined, token: Token | undefined, glue: boolean): boolean {
  if (word === undefined || token === undefined) return false
  if (isOpen(token)) return singular(word) === token.canon || word === token.text.toLowerCase()
  return glue && isGlue(token) && word === token.text.toLowerCase()
}

/** Where spans that overlap have to be cut so that any two of the parts are equal or apart. */
export function cutPoints(spans: readonly Span[]): ReadonlySet<number> {
  return new Set(spans.flatMap(({ start, end }) => [start, end]))
}
