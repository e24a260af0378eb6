import type { PromptUse } from '../../../../program/index.ts'
import type { Answer, FaceFinding, Identity } from '../../../backends.ts'
import { normaliseName } from '../../../names.ts'
import { believedFaces, FACE_THRESHOLD } from '../faces.ts'
import { ACCEPT_BELOW } from '../identity.ts'
import type { Ask } from './question.ts'
import { answered, unsure } from './scene.ts'
import type { Scene } from './scene.ts'

/** "Who is this?", "Is this Anna?": only people that were shown, and only once identity is on. */
export async function answerWho(scene: Scene, ask: Extract<Ask, { kind: 'who' }>): Promise<Answer> {
  const { identity, image, sight, options } = scene
  if (!(await identity.enabled())) {
    return {
      outcome: 'unavailable',
      reason: 'Recognising people is turned off.',
      would:
        'Turn it on for this space with "pupil people enable" and show it faces; vectors stay on this machine.',
    }
  }
  const objects = await sight.eyes.objects(image, options)
  const faces = believedFaces(await sight.eyes.faces(image, options), objects).filter(
    (face) => face.score > FACE_THRESHOLD,
  )
  if (faces.length === 0) return unsure('No face was found.')
  const largest = faces.toSorted((a, b) => area(b) - area(a))
  const identities = await Promise.all(
    largest.map((face) => identity.identify(image, face, options)),
  )
  const named = identities.flatMap((one) => (one.outcome === 'unknown' ? [] : [one]))
  const how = identities
    .map((one) =>
      one.outcome === 'unknown'
        ? 'nobody that was shown'
        : `${one.person} at distance ${one.distance.toFixed(2)}`,
    )
    .join('; ')
  const notices = named
    .filter((one) => one.outcome === 'ask')
    .map(({ person }) => ({
      code: 'N_UNSURE_PERSON',
      message: `A face may be ${person}, but it is not certain.`,
    }))
  if (ask.name !== undefined) {
    const wanted = normaliseName(ask.name)
    const hit = named.find((one) => normaliseName(one.person) === wanted)
    const said = answered(
      hit === undefined ? 'no' : 'yes',
      certainty(hit?.distance ?? 1),
      how,
      notices,
    )
    return withReceipts(said, hit === undefined ? [] : [hit])
  }
  if (named.length === 0) return unsure(`Nobody that was shown: ${how}.`)
  const people = [...new Set(named.map((one) => one.person))]
  const said = answered(people.join(', '), certainty(named[0]?.distance ?? 1), how, notices)
  return withReceipts(said, named)
}

/** The answer with the lessons that taught the people in it. */
function withReceipts(
  answer: Answer,
  named: readonly Exclude<Identity, { outcome: 'unknown' }>[],
): Answer {
  const uses = named.flatMap(({ person, distance, lesson }): PromptUse[] =>
    lesson === undefined
      ? []
      : [{ lesson, concept: person, prompt: person, weight: certainty(distance) }],
  )
  return uses.length === 0 || answer.outcome !== 'answered' ? answer : { ...answer, uses }
}

function area({ box }: FaceFinding): number {
  return (box[2] - box[0]) * (box[3] - box[1])
}

/** 0.5 where a match begins to be asked about, 1 for the same vector. */
function certainty(distance: number): number {
  return Math.max(0, Math.min(1, 1 - (0.5 * distance) / ACCEPT_BELOW))
}
