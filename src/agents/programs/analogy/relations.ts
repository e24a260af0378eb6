/** Names that crops give to one relation, to the relation; a relation's first name is written. */
const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  LEFTOF: ['LEFTOF'],
  RIGHTOF: ['RIGHTOF'],
  ABOVE: ['ABOVE'],
  BELOW: ['BELOW'],
  BEHIND: ['BEHIND'],
  INFRONTOF: ['INFRONTOF', 'INFRONT', 'FRONTOF', 'AHEAD'],
}

/** The relation that a tool such as CROP_LEFTOF looks in, or undefined. */
export function relationOf(tool: string): string | undefined {
  const [, suffix] = /_([A-Z]+)$/.exec(tool) ?? []
  return Object.keys(RELATIONS).find((name) => RELATIONS[name]?.includes(suffix ?? ''))
}

/** The same tool for another relation. */
export function withRelation(tool: string, relation: string): string {
  return tool.replace(/_[A-Z]+$/, `_${relation}`)
}

/** The other one of two sides. */
export function oppositeSide(side: string): string {
  return OPPOSITES[side] ?? side
}

const OPPOSITES: Readonly<Record<string, string>> = {
  LEFT: 'RIGHT',
  RIGHT: 'LEFT',
  TOP: 'BOTTOM',
  BOTTOM: 'TOP',
}

/** A relation or side as an answer says it: `LEFTOF` and `LEFT` to `left`. */
export function plainPlace(canon: string): string {
  return canon.replace(/OF$/, '').replace('INFRONT', 'in front').toLowerCase()
}

const SAID: readonly (readonly [pattern: RegExp, relation: string])[] = [
  [/\b(?:(?:to|on) the )?left (?:side )?of\b/, 'LEFTOF'],
  [/\b(?:(?:to|on) the )?right (?:side )?of\b/, 'RIGHTOF'],
  [/\b(?:in front|ahead) of\b/, 'INFRONTOF'],
  [/\bbehind\b/, 'BEHIND'],
  [/\b(?:above|over|on top of|higher (?:up )?than)\b/, 'ABOVE'],
  [/\b(?:below|under|underneath|beneath|lower (?:down )?than)\b/, 'BELOW'],
]

/** The relation that a text says, and where. */
export function relationIn(
  text: string,
): { readonly canon: string; readonly start: number; readonly end: number } | undefined {
  for (const [pattern, canon] of SAID) {
    const match = pattern.exec(text)
    if (match !== null) return { canon, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

/** A relation as it is said between two things: `LEFTOF` to `to the left of`. */
export function relationPhrase(canon: string): string {
  const text = relationText(canon)
  return canon === 'LEFTOF' || canon === 'RIGHTOF' ? `to the ${text}` : text
}

/** A relation before the thing it leads to: `LEFTOF` to `left of`. */
export function relationText(canon: string): string {
  return canon.endsWith('OF') ? `${plainPlace(canon)} of` : plainPlace(canon)
}
