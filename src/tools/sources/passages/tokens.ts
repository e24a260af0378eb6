/** Words that stand in almost every passage: they are not indexed. */
const STOP = new Set(
  'a an the of in on at to for from by with and or is are was were be been it its this that as which who what when where how do does did has have had'.split(
    ' ',
  ),
)

/** The indexed words of a text: lower case, without marks, plurals and common endings levelled. */
export function indexWords(text: string): readonly string[] {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return (words ?? []).filter((word) => !STOP.has(word) && word.length <= 40).map(stem)
}

function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  return word
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=...)(?:ing|ed)$/, '')
    .replace(/(?<=...)e$/, '')
}
