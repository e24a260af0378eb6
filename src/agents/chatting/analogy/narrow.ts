import { plainSentence, singularPhrase, words } from '../../../memory/index.ts'

/** Words before a thing that belong to it. */
const ADJECTIVE =
  /^(?:red|orange|yellow|green|blue|purple|pink|brown|black|white|gr[ea]y|golden|silver|big|large|small|little|tiny|tall|short|long|old|new|young|round|wooden|metal|plastic|striped|dark|bright|open|closed|empty|full|parked|standing|sitting|left|right|wild)$/

/**
 * Phrases cut down to the things that the detectors have words for: `photographer caught` goes when
 * `bicycle` stands beside it, `bench stand` becomes `bench`, `red car` stays. Where none of the phrases
 * holds a known thing they stay as they are, so that the detector can say that it does not know them.
 */
export function narrowed(
  phrases: readonly string[],
  vocabulary: ReadonlySet<string>,
): readonly string[] {
  const found = phrases.flatMap((phrase) => knownIn(phrase, vocabulary))
  return found.length === 0 ? phrases : [...new Set(found)]
}

function knownIn(phrase: string, vocabulary: ReadonlySet<string>): readonly string[] {
  const list = words(plainSentence(phrase)).map(({ lower }) => lower)
  const found: string[] = []
  for (let end = list.length; end > 0; end--) {
    const start = longestKnown(list, end, vocabulary)
    if (start === undefined) continue
    let from = start
    while (from > 0 && ADJECTIVE.test(list[from - 1] ?? '')) from--
    found.unshift(singularPhrase(list.slice(from, end).join(' ')))
    end = from + 1
  }
  return found
}

/** Where the longest known thing that ends here begins. */
function longestKnown(
  list: readonly string[],
  end: number,
  vocabulary: ReadonlySet<string>,
): number | undefined {
  for (let length = Math.min(3, end); length > 0; length--) {
    const text = list.slice(end - length, end).join(' ')
    if (vocabulary.has(text) || vocabulary.has(singularPhrase(text))) return end - length
  }
  return undefined
}
