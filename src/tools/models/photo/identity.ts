import type { Abortable } from '../../../base/index.ts'
import { cropTurned } from '../../../image/index.ts'
import type { Image } from '../../../image/index.ts'
import type {
  FaceFinding,
  FaceIdentifier,
  Identity,
  KnownPerson,
  PeopleSource,
} from '../../backends.ts'
import { unavailable } from '../../unavailable.ts'
import { FACE_SIDE } from './face-net.ts'
import { planes, PLAIN } from './model-input.ts'
import type { PhotoModels } from './models.ts'

/** Euclidean distances: below the first a face is accepted, up to the second one asks. */
export const ACCEPT_BELOW = 0.55
export const ASK_UP_TO = 0.62

/** The distance eye to mouth, as a share of the aligned square's side. */
const EYE_TO_MOUTH = 0.4
/** Height of the middle of eyes and mouth in the aligned square. */
const MIDDLE_AT = 0.43

/**
 * Recognises the faces of people that were shown. Vectors come from `people` and stay where they are;
 * nothing is stored, logged or sent here.
 *
 * @param people  null while identity is off, which is how it starts
 * @source photo-starter §6
 */
export function photoIdentity(models: PhotoModels, people: PeopleSource): FaceIdentifier {
  const known = async (): Promise<readonly KnownPerson[]> => (await people()) ?? turnedOff()
  const embed = async (
    image: Image,
    face: FaceFinding,
    { signal }: Abortable = {},
  ): Promise<Float32Array> => {
    await known()
    const session = await models.session('face-net', { signal })
    const { centre, side, angle } = alignedSquare(face.points)
    const cut = cropTurned(image, { centre, side, angle }, FACE_SIDE)
    const { descriptor } = await session.run({ face: planes(cut, PLAIN) }, { signal })
    return Float32Array.from(descriptor?.data as Float32Array)
  }
  return {
    name: 'photo/face-net',
    models: () => [models.stamp('face-net')],
    can: ['recognises people it was shown, once identity is turned on for the space'],
    cannot: ['people it was not shown', 'age, sex or mood: not offered'],
    enabled: async () => (await people()) !== null,
    people: async () => ((await people()) ?? []).map((person) => person.name),
    embed,
    identify: async (image, face, options) =>
      nearestPerson(await embed(image, face, options), await known()),
  }
}

function turnedOff(): never {
  throw unavailable(
    'identity',
    'Recognising people is turned off: faces are found, but not whose they are.',
    'Turn it on for this space with "pupil people enable"; vectors of faces then stay on this machine.',
  )
}

/**
 * The turned square around a face that the net wants.
 *
 * @param points  right eye, left eye, nose, mouth, in pixels
 * @returns middle and side in pixels, angle of the eye line in radians
 */
export function alignedSquare(points: FaceFinding['points']): {
  readonly centre: readonly [x: number, y: number]
  readonly side: number
  readonly angle: number
} {
  const [right = [0, 0], left = [0, 0], , mouth = [0, 0]] = points
  const toMouth = (eye: readonly [number, number]): number =>
    Math.hypot(mouth[0] - eye[0], mouth[1] - eye[1])
  const side = (toMouth(right) + toMouth(left)) / 2 / EYE_TO_MOUTH
  const angle = Math.atan2(left[1] - right[1], left[0] - right[0])
  const middle = [(right[0] + left[0] + mouth[0]) / 3, (right[1] + left[1] + mouth[1]) / 3] as const
  // The middle sits above the square's centre, so the centre lies below it along the face.
  const down = (0.5 - MIDDLE_AT) * side
  return {
    centre: [middle[0] - Math.sin(angle) * down, middle[1] + Math.cos(angle) * down],
    side,
    angle,
  }
}

/**
 * Whose face a vector is: the nearest vector decides. A face nearer to a rejected one of that person
 * than to a known one is asked about, never assumed.
 */
export function nearestPerson(vector: Float32Array, people: readonly KnownPerson[]): Identity {
  let best: { person: KnownPerson; distance: number } | undefined
  for (const person of people) {
    const distance = nearest(vector, person.vectors)
    if (best === undefined || distance < best.distance) best = { person, distance }
  }
  if (best === undefined || best.distance > ASK_UP_TO) {
    return { outcome: 'unknown', distance: best?.distance ?? null }
  }
  const { person, distance } = best
  const doubted = nearest(vector, person.tombstones) <= ASK_UP_TO
  const outcome = distance < ACCEPT_BELOW && !doubted ? 'known' : 'ask'
  const { name, lesson } = person
  return { outcome, person: name, distance, ...(lesson === undefined ? {} : { lesson }) }
}

function nearest(vector: Float32Array, others: readonly Float32Array[]): number {
  return others.reduce((least, other) => Math.min(least, euclidean(vector, other)), Infinity)
}

/** Euclidean distance of two vectors of one length. */
export function euclidean(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return Math.sqrt(sum)
}
