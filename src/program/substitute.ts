import { display } from './display.ts'
import { valueOf } from './state.ts'
import type { State } from './state.ts'

/** A piece of a text with `{NAME}` in it. */
export type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'name'; readonly name: string; readonly from: number; readonly to: number }

const PIECE = /\{\{|\}\}|\{[ \t\u00a0]*([A-Za-z_][A-Za-z0-9_]*)[ \t\u00a0]*\}/g

/**
 * Takes a text apart: `{NAME}` is a variable, `{{` and `}}` are braces, everything else is itself.
 * `from` and `to` are offsets in the text.
 *
 * @source program-language §6
 */
export function template(text: string): readonly TemplatePart[] {
  if (!text.includes('{') && !text.includes('}')) return [{ type: 'text', text }]
  const parts: TemplatePart[] = []
  let plain = ''
  let last = 0
  for (const match of text.matchAll(PIECE)) {
    plain += text.slice(last, match.index)
    last = match.index + match[0].length
    const name = match[1]
    if (name === undefined) {
      plain += match[0].charAt(0)
      continue
    }
    if (plain !== '') parts.push({ type: 'text', text: plain })
    plain = ''
    parts.push({ type: 'name', name, from: match.index, to: last })
  }
  plain += text.slice(last)
  if (plain !== '') parts.push({ type: 'text', text: plain })
  return parts
}

/**
 * The text with each `{NAME}` replaced by its value; values are inserted once and never read again.
 *
 * @throws ModelFault `X_UNDEFINED` for an unknown name, `X_TYPE` for a value that cannot be shown
 */
export function substitute(text: string, state: State): string {
  return template(text)
    .map((part) => (part.type === 'text' ? part.text : display(valueOf(state, part.name))))
    .join('')
}
