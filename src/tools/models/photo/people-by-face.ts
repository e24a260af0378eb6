import type { FaceFinding, Finding } from '../../backends.ts'

/** People at least this sure are believed anyway, those below the second are not considered. */
const BELIEVED = 0.3
const FAINT = 0.12
/** A face as sure as this is one. */
const FACE_FROM = 0.5
/** How much of a face's score counts for its person. */
const FACE_SHARE = 0.6

/** Whether there are people whom a face could make sure. */
export function hasFaintPeople(found: readonly Finding[]): boolean {
  return found.some((one) => one.name === 'person' && isFaint(one))
}

const isFaint = ({ score }: Finding): boolean => score >= FAINT && score <= BELIEVED

/**
 * Joins two witnesses: a person whom the detector sees faintly is believed when the face detector,
 * which errs on other things, sees a face in the upper part of the box.
 *
 * Every face belongs to one person only, those believed already first, so that one person seen twice
 * is not counted twice. Scores join as 1 - (1 - a)(1 - b).
 */
export function withFaces(
  found: readonly Finding[],
  faces: readonly FaceFinding[],
): readonly Finding[] {
  const people = found.filter((one) => one.name === 'person' && one.score >= FAINT)
  const sure = faces.filter((face) => face.score >= FACE_FROM)
  const owner = new Map<Finding, FaceFinding>()
  const taken = new Set<FaceFinding>()
  for (const group of [people.filter((one) => !isFaint(one)), people.filter(isFaint)]) {
    for (const { person, face } of pairs(group, sure)) {
      if (owner.has(person) || taken.has(face)) continue
      owner.set(person, face)
      taken.add(face)
    }
  }
  return found
    .map((one) => {
      const face = isFaint(one) ? owner.get(one) : undefined
      if (face === undefined) return one
      return { ...one, score: 1 - (1 - one.score) * (1 - FACE_SHARE * face.score) }
    })
    .toSorted((a, b) => b.score - a.score)
}

interface Pair {
  readonly person: Finding
  readonly face: FaceFinding
  readonly distance: number
}

/** People and the faces in the upper part of their boxes, the best placed first. */
function pairs(people: readonly Finding[], faces: readonly FaceFinding[]): readonly Pair[] {
  return people
    .flatMap((person) => faces.map((face) => ({ person, face, distance: placed(person, face) })))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance)
}

/** How far a face lies from where a head is: middle of the width, a sixth from the top. */
function placed({ box: [x1, y1, x2, y2] }: Finding, { box }: FaceFinding): number {
  const x = (box[0] + box[2]) / 2
  const y = (box[1] + box[3]) / 2
  const inUpperPart = x >= x1 && x <= x2 && y >= y1 && y <= y1 + 0.6 * (y2 - y1)
  if (!inUpperPart) return Infinity
  return Math.abs(x - (x1 + x2) / 2) / (x2 - x1) + Math.abs(y - y1 - (y2 - y1) / 6) / (y2 - y1)
}
