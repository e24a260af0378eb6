import type { PromptUse } from '../../../program/index.ts'
import type { Detector } from '../../backends.ts'
import type { PhotoModels } from './models.ts'
import { parsePhrase } from './phrase.ts'
import { findThings, OBJECT_THRESHOLD } from './things.ts'
import { noting } from './noting.ts'
import type { Sight } from './things.ts'

/**
 * Finds objects of 80 everyday kinds, faces and text, by a word or by a description: "red car",
 * "person on the left", "cup on the table".
 */
export function photoDetector(sight: Sight, models: PhotoModels): Detector {
  return {
    name: 'photo/centernet',
    models: () => [models.stamp('centernet')],
    can: [
      'finds 80 everyday kinds of objects (COCO), also by plural, synonym or wider word',
      'finds faces, and signs by the text on them',
      'narrows by colour, place, size and by how things lie to each other',
    ],
    cannot: [
      'other words: an open-vocabulary detector from the hub, or taught examples',
      'who or what kind of person it is: nothing offline',
      'in front of and behind: a depth model',
    ],
    vocabulary: sight.vocabulary,
    threshold: OBJECT_THRESHOLD,
    detect: async (image, word, options) => {
      const uses: PromptUse[] = []
      const found = await findThings(noting(sight, uses), image, parsePhrase(word), options)
      if (!found.known) return found
      const { things: findings, notices } = found
      return { known: true, findings, notices, ...(uses.length === 0 ? {} : { uses }) }
    },
    detectAll: async (image, options) => {
      const all = await sight.eyes.objects(image, options)
      return all.filter((one) => one.score > OBJECT_THRESHOLD)
    },
  }
}
