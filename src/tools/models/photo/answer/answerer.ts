import type { Answer, Answerer, FaceIdentifier, Segmenter } from '../../../backends.ts'
import type { PromptUse } from '../../../../program/index.ts'
import type { PhotoModels } from '../models.ts'
import { noting } from '../noting.ts'
import type { Sight } from '../things.ts'
import { answerColour, answerIsColour } from './colours.ts'
import { answerIsWhat, answerWhat } from './kinds.ts'
import { answerLight, answerMonochrome } from './light.ts'
import { parseQuestion } from './parse-question.ts'
import { answerSize, answerWhere, answerWhichRelation } from './places.ts'
import { answerCount, answerExists, answerMore } from './presence.ts'
import type { Ask } from './question.ts'
import { answerReading } from './reading.ts'
import { WOULD_ANSWER } from './scene.ts'
import type { Scene } from './scene.ts'
import { answerWho } from './who.ts'

export interface PhotoAnswererOptions {
  readonly sight: Sight
  readonly models: PhotoModels
  readonly segmenter: Segmenter
  readonly identity: FaceIdentifier
}

/** Answers questions that can be measured, and says of all others that it cannot. */
export function photoAnswerer(options: PhotoAnswererOptions): Answerer {
  const { models, ...rest } = options
  return {
    name: 'photo/measure',
    models: () => [models.stamp('centernet')],
    can: [
      'is there, how many, more or fewer, of the 80 everyday kinds',
      'colour of a thing, of clothes, of the background, of the picture',
      'where, left or right, above or below, on, next to; bigger or smaller as it looks',
      'what a sign says, which number is on a thing',
      'what kind of animal, vehicle, food …; what is on the table',
      'day or night, dark or bright, black and white',
      'whose face, of people it was shown, once identity is turned on',
    ],
    cannot: [
      `what people do, feel or wear beyond colours, materials, brands, weather, reasons. ${WOULD_ANSWER}`,
      'in front of and behind: a depth model',
    ],
    answer: async (image, question, { signal } = {}) => {
      const ask = parseQuestion(question)
      if (ask === undefined) return beyond(question)
      const uses: PromptUse[] = []
      const sight = noting(rest.sight, uses)
      const answer = await solve({ ...rest, sight, image, options: { signal } }, ask)
      return uses.length === 0 || answer.outcome !== 'answered' ? answer : { ...answer, uses }
    },
  }
}

function beyond(question: string): Answer {
  return {
    outcome: 'unavailable',
    reason: `"${question.trim()}" cannot be answered by measuring the picture, which is all that works offline.`,
    would: WOULD_ANSWER,
  }
}

async function solve(scene: Scene, ask: Ask): Promise<Answer> {
  switch (ask.kind) {
    case 'exists':
      return answerExists(scene, ask)
    case 'count':
      return answerCount(scene, ask)
    case 'compare-counts':
      return answerMore(scene, ask)
    case 'colour':
      return answerColour(scene, ask)
    case 'is-colour':
      return answerIsColour(scene, ask)
    case 'where':
      return answerWhere(scene, ask)
    case 'which-relation':
      return answerWhichRelation(scene, ask)
    case 'size':
      return answerSize(scene, ask)
    case 'read':
      return answerReading(scene, ask)
    case 'what':
      return answerWhat(scene, ask)
    case 'is-what':
      return answerIsWhat(scene, ask)
    case 'who':
      return answerWho(scene, ask)
    case 'light':
      return answerLight(scene.image, ask)
    case 'monochrome':
      return answerMonochrome(scene.image, ask)
    default:
      return ask satisfies never
  }
}
