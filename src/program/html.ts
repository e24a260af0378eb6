/** Markup that is safe to stand in a page as it is. */
export interface Html {
  readonly markup: string
}

type Piece = Html | string | number | readonly Piece[] | null | undefined | false

/**
 * Builds markup: what the template's author wrote stands as it is, every text put in is escaped, so
 * that no text from a program, a model or a person makes an element or leaves an attribute.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let markup = strings[0] ?? ''
  pieces.forEach((piece, i) => (markup += written(piece) + (strings[i + 1] ?? '')))
  return { markup }
}

function written(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number') return String(piece)
  return 'markup' in piece ? piece.markup : piece.map(written).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** `& < > " '` as entities; control characters, which no page may hold, as replacement characters. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (unit) => ENTITIES[unit] ?? unit)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd')
}
