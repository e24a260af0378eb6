/** A word of a sentence where it stands. */
export interface Word {
  /** As written. */
  readonly text: string
  /** Lower case, NFC. */
  readonly lower: string
  /** First character, in UTF-16 units of the normalised sentence. */
  readonly start: number
  readonly end: number
}

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(can)['’]?t\b/gi, '$1 not'],
  [/\b(wo)n['’]t\b/gi, 'will not'],
  [/\b(is|are|was|were|do|does|did|has|have|could|would|should)n['’]t\b/gi, '$1 not'],
  [/\b(what|where|who|how|there|it|that|which)['’]s\b/gi, '$1 is'],
  [/\b(what|there|how|they|we|you)['’]re\b/gi, '$1 are'],
  [/\b(i|you|we|they)['’]d\b/gi, '$1 would'],
  [/\b(i)['’]m\b/gi, '$1 am'],
  [/\blet['’]s\b/gi, 'let us'],
  [/\bcannot\b/gi, 'can not'],
]

/** The sentence that `words` reads: NFC, plain apostrophes, contractions written out. */
export function plainSentence(sentence: string): string {
  let plain = sentence.normalize('NFC').replaceAll('’', "'")
  for (const [pattern, full] of CONTRACTIONS) plain = plain.replace(pattern, full)
  return plain
}

/** Words, numbers and emoticons of a plain sentence in order; other marks are left out, commas kept. */
export function words(sentence: string): readonly Word[] {
  const pattern = /[:;8][-]?[)(pPdD](?=\s|$|[.,!?])|<3|[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*'?|[,;]/gu
  return [...sentence.matchAll(pattern)].map((match) => {
    const text = match[0].replace(/'s?$/, '')
    return { text, lower: text.toLowerCase(), start: match.index, end: match.index + text.length }
  })
}
