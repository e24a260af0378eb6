import { normaliseName } from '../../names.ts'
import type { FaceIdentifier } from '../../backends.ts'
import type { Eyes } from './eyes.ts'
import { believedFaces, FACE_THRESHOLD } from './faces.ts'
import type { Sight } from './things.ts'

/** Finds the faces of people who were shown, by name; nobody while identity is off. */
export function facesOf(eyes: Eyes, identity: FaceIdentifier): NonNullable<Sight['people']> {
  return async (image, name, options, note) => {
    const person = (await identity.people()).find(
      (one) => normaliseName(one) === normaliseName(name),
    )
    if (person === undefined) return undefined
    const faces = believedFaces(
      await eyes.faces(image, options),
      await eyes.objects(image, options),
    ).filter(({ score }) => score > FACE_THRESHOLD)
    const found = await Promise.all(
      faces.map(async (face) => {
        const who = await identity.identify(image, face, options)
        const isThem = who.outcome !== 'unknown' && who.person === person
        if (isThem && who.lesson !== undefined) {
          note?.({ lesson: who.lesson, concept: person, prompt: person, weight: 1 })
        }
        return isThem ? [{ box: face.box, score: 1 - who.distance / 2, name: person }] : []
      }),
    )
    return found.flat()
  }
}
