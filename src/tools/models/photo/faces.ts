import type { FaceDetector, FaceFinding, Finding } from '../../backends.ts'
import type { Eyes } from './eyes.ts'
import type { PhotoModels } from './models.ts'

/** Faces are believed from this score on (photo-starter §5). */
export const FACE_THRESHOLD = 0.5

/** A face as sure as this is believed wherever it is: a close-up may show no person. */
const SURE = 0.85

/** Finds faces; blossoms, plates and animals are kept out by asking for a person around them. */
export function photoFaces(eyes: Eyes, models: PhotoModels): FaceDetector {
  return {
    name: 'photo/blazeface',
    models: () => [models.stamp('blazeface'), models.stamp('centernet')],
    can: ['finds faces, with eyes, nose, mouth and ears'],
    cannot: [
      'whose face it is, unless identity is turned on and the person was shown',
      'age, sex or mood: not offered',
    ],
    threshold: FACE_THRESHOLD,
    faces: async (image, options) => {
      const faces = await eyes.faces(image, options)
      const doubtful = faces.some((face) => face.score < SURE)
      const objects = doubtful ? await eyes.objects(image, options) : []
      return believedFaces(faces, objects)
    },
  }
}

/**
 * Halves the score of a face that is not quite sure and lies in no person, not even a faint one.
 *
 * Seen on photographs: a cat, a cup and a flower gave faces of 0.65 to 0.75 without a person around
 * them; all true faces had one.
 */
export function believedFaces(
  faces: readonly FaceFinding[],
  objects: readonly Finding[],
): readonly FaceFinding[] {
  const people = objects.filter((one) => one.name === 'person')
  return faces
    .map((face) => {
      const x = (face.box[0] + face.box[2]) / 2
      const y = (face.box[1] + face.box[3]) / 2
      const inPerson = people.some(
        ({ box }) => x >= box[0] && x < box[2] && y >= box[1] && y < box[3],
      )
      return face.score >= SURE || inPerson ? face : { ...face, score: face.score / 2 }
    })
    .toSorted((a, b) => b.score - a.score)
}
