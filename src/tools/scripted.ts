import { Bug, noProgress, seededRandom } from '../base/index.ts'
import type { ModelStamp } from '../program/index.ts'
import type {
  Answer,
  Answerer,
  Backend,
  Detector,
  Finding,
  Matcher,
  Segment,
  Segmenter,
} from './backends.ts'
import type { ToolContext } from './tool.ts'

/** A context for calls in tests: ids count from 1, random numbers are the same each time. */
export function testContext(options: Partial<ToolContext> = {}): ToolContext {
  let next = 0
  return {
    family: 'open',
    random: seededRandom(1),
    progress: noProgress,
    newId: () => `o${++next}`,
    ...options,
  }
}

/** A back end's words about itself, for tests. */
function about(name: string): Backend {
  const models = (): readonly ModelStamp[] => [{ name }]
  return { name, models, can: [], cannot: [] }
}

const would = 'Nothing would: this is a test.'

/** Finds what the script says for a word; other words are unknown. `calls` records the words asked. */
export function scriptedDetector(
  script: Readonly<Record<string, readonly Finding[]>>,
  options: { readonly threshold?: number } = {},
): Detector & { readonly calls: readonly string[] } {
  const calls: string[] = []
  const words = Object.keys(script)
  const knows = (word: string): boolean => Object.hasOwn(script, word)
  return {
    ...about('scripted/detector'),
    calls,
    threshold: options.threshold ?? 0.1,
    vocabulary: {
      words,
      read: async (word) =>
        knows(word)
          ? { known: true, words: [word], notices: [] }
          : { known: false, word, near: words, would },
    },
    detect: async (_image, word) => {
      calls.push(word)
      if (!knows(word)) return { known: false, word, near: words, would }
      return { known: true, findings: script[word] ?? [], notices: [] }
    },
  }
}

/** Scores by text, one for each object; other texts are unknown. */
export function scriptedMatcher(
  script: Readonly<Record<string, readonly (number | null)[]>>,
  neutral: Matcher['neutral'] = { score: 0 },
): Matcher & { readonly calls: readonly string[] } {
  const calls: string[] = []
  return {
    ...about('scripted/matcher'),
    calls,
    neutral,
    match: async (_image, _objects, texts) => {
      calls.push(...texts)
      return texts.map((word) =>
        Object.hasOwn(script, word)
          ? { known: true, scores: script[word] ?? [], notices: [] }
          : { known: false, word, near: [], would },
      )
    },
  }
}

/** Answers by question; a question that was not scripted throws. */
export function scriptedAnswerer(script: Readonly<Record<string, Answer>>): Answerer {
  return {
    ...about('scripted/answerer'),
    answer: async (_image, question) => {
      const answer = Object.hasOwn(script, question) ? script[question] : undefined
      if (answer === undefined) {
        throw new Bug('E_SCRIPT', `No answer is scripted for "${question}".`)
      }
      return answer
    },
  }
}

/** Gives the same segments for every picture. */
export function scriptedSegmenter(segments: readonly Segment[]): Segmenter {
  return {
    ...about('scripted/segmenter'),
    vocabulary: {
      words: segments.map((one) => one.label),
      read: async (word) => ({ known: true, words: [word], notices: [] }),
    },
    segment: async () => ({ segments, notices: [] }),
  }
}
