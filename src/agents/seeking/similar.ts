import { STOP_WORDS } from './stop-words.ts'

/** Content words of a text, lower case; all words when there are no others. */
export function contentWords(text: string): readonly string[] {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : words).map(stem)
}

/** Plurals and common endings off, so that "opens", "opened" and "open" meet. */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  return word
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=...)(?:ing|ed)$/, '')
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/(?<=...)e$/, '')
}

/**
 * How well each document fits a query, by BM25 (k1 1.2, b 0.75) over these documents.
 *
 * @returns scores in the order of `documents`; 0 where no word is shared
 */
export function bm25(query: string, documents: readonly string[]): readonly number[] {
  const [k1, b] = [1.2, 0.75]
  const texts = documents.map(contentWords)
  const mean = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length)
  const holding = new Map<string, number>()
  for (const words of texts) {
    for (const word of new Set(words)) holding.set(word, (holding.get(word) ?? 0) + 1)
  }
  const asked = [...new Set(contentWords(query))]
  return texts.map((words) =>
    asked.reduce((score, word) => {
      const times = words.filter((one) => one === word).length
      if (times === 0) return score
      const n = holding.get(word) ?? 0
      const rarity = Math.log(1 + (texts.length - n + 0.5) / (n + 0.5))
      const length = k1 * (1 - b + (b * words.length) / Math.max(1, mean))
      return score + (rarity * times * (k1 + 1)) / (times + length)
    }, 0),
  )
}
