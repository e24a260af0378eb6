import type { Detector, Vocabulary } from '../../backends.ts'
import { parsePhrase } from '../photo/phrase.ts'
import { DRAWINGS_ONLY } from './parts.ts'
import type { StarterParts } from './parts.ts'
import { findThings, THING_THRESHOLD } from './things.ts'

/** LOC on drawings: any name, narrowed by colour, place and relation. */
export function starterDetector(parts: StarterParts): Detector {
  const { names, models } = parts
  return {
    name: 'starter/detector',
    models: () => [models.stamp('detector'), models.stamp('text')],
    can: [
      `finds drawings of ${names.all.length} things by name, synonym or kind ("vehicles")`,
      'narrows by colour, place and by how things lie to each other',
      'looks for any other word too, and says that it never learnt it',
    ],
    cannot: [DRAWINGS_ONLY, 'in front of and behind'],
    vocabulary: openVocabulary(parts),
    threshold: THING_THRESHOLD,
    detect: async (image, word, options) => {
      const found = await findThings(parts, image, parsePhrase(word), options)
      if (!found.known) return found
      const { things: findings, notices, uses } = found
      return { known: true, findings, notices, ...(uses.length === 0 ? {} : { uses }) }
    },
    detectAll: async (image, options) => {
      const anything = await findThings(parts, image, parsePhrase('thing'), options)
      return anything.known ? anything.things.filter((one) => one.score > THING_THRESHOLD) : []
    },
  }
}

/** Any word is read; one that was never learnt is told. */
export function openVocabulary({ names, wordnet }: StarterParts): Vocabulary {
  return {
    words: null,
    read: async (word) => {
      const reading = await names.read(word, wordnet)
      const words = reading.names.length === 0 ? [word] : reading.names.map(({ label }) => label)
      return { known: true, words, notices: reading.notices }
    },
  }
}
