/** How many starts of a value are tried in one reply; more is not an answer but a listing. */
const MOST_STARTS = 40

/**
 * The JSON values that a reply may mean, likeliest first.
 *
 * Lenient with what models send: thoughts in `<think>`, code fences, prose around, trailing commas,
 * comments are no JSON but are dropped where a line ends with one.
 *
 * @returns an empty list when nothing in it reads as JSON
 */
export function jsonCandidates(reply: string): readonly unknown[] {
  const text = withoutThoughts(reply).trim()
  const fenced = [...text.matchAll(/```[a-z0-9]*\s*\n?([\s\S]*?)(?:```|$)/gi)].map(
    ([, body]) => body,
  )
  const whole = [text, ...fenced].flatMap((body) => readLoose(body ?? ''))
  if (whole.length > 0) return whole
  return balancedParts(text).flatMap(readLoose)
}

/** A reply without what a reasoning model thought aloud before it. */
export function withoutThoughts(reply: string): string {
  return reply.replace(/<think>[\s\S]*?<\/think>/gi, '').replace(/^[\s\S]*<\/think>/i, '')
}

function readLoose(text: string): [] | [unknown] {
  for (const candidate of [text, withoutTrailing(text)]) {
    try {
      return [JSON.parse(candidate)]
    } catch {
      // The next, more lenient reading.
    }
  }
  return []
}

/** Drops commas before a closing bracket, and `//` comments, outside strings. */
function withoutTrailing(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|,(?=\s*(?:\/\/[^\n]*\s*)*[}\]])/g,
    (_all, quoted: string | undefined) => quoted ?? '',
  )
}

/** Each outermost `{…}` or `[…]` whose brackets close, in order. */
function balancedParts(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    const start = nextStart(text, from)
    if (start === -1) break
    const end = closingOf(text, start)
    if (end !== -1) parts.push(text.slice(start, end + 1))
    from = end === -1 ? start + 1 : end + 1
  }
  return parts
}

function nextStart(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/)
  return found === -1 ? -1 : from + found
}

function closingOf(text: string, start: number): number {
  let depth = 0
  let quoted = false
  for (let i = start; i < text.length; i++) {
    const letter = text[i]
    if (quoted) {
      if (letter === '\\') i++
      else if (letter === '"') quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') {
      depth--
      if (depth === 0) return i
    }
  }
  return -1
}
