import { EMOJI_ALIASES, EMOJI_NAMES } from '../../../tools/index.ts'

const NAMES = new Set(EMOJI_NAMES)

/** The emoji that words name, such as `winking face emoji` or `;)`, in the tool's own spelling. */
export function emojiNamed(words: string): string | undefined {
  const phrase = words
    .toLowerCase()
    .replace(/\b(?:emojis?|emoticons?|symbol|icon|sign)\b/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '_')
  if (phrase === '') return undefined
  const guesses = [
    phrase,
    phrase.replace(/s$/, ''),
    phrase.replace(/_faces?$/, ''),
    `${phrase}_face`,
    `smiling_face_with_${phrase}`,
    `face_with_${phrase}`,
  ]
  for (const guess of guesses) {
    if (Object.hasOwn(EMOJI_ALIASES, guess)) return EMOJI_ALIASES[guess]
    if (NAMES.has(guess)) return guess
  }
  return undefined
}
