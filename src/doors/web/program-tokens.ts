/** A piece of a program's text, for colouring. */
export interface Token {
  readonly kind: 'variable' | 'tool' | 'argument' | 'text' | 'number' | 'word' | 'comment' | 'plain'
  readonly text: string
}

const PATTERN =
  /(?<comment>#.*)|(?<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?<number>-?\d+(?:\.\d+)?)|(?<word>\b(?:if|elif|else|for|in|end|limit|carry|from|gather|as|True|False|None)\b)|(?<tool>[A-Z][A-Z0-9_]*(?=\())|(?<argument>[a-z_]\w*(?==))|(?<variable>[A-Za-z_]\w*)/g

/** A line of a program in coloured pieces; joined they are the line again. */
export function programTokens(line: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  for (const match of line.matchAll(PATTERN)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: line.slice(at, match.index) })
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0]
    tokens.push({ kind: (kind ?? 'plain') as Token['kind'], text: match[0] })
    at = match.index + match[0].length
  }
  if (at < line.length) tokens.push({ kind: 'plain', text: line.slice(at) })
  return tokens
}
