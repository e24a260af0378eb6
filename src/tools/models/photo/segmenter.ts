import { cutOut, maskArea, maskFromBox, pixelBox, subtractMask } from '../../../image/index.ts'
import type { Box, Image, MaskRle, Point } from '../../../image/index.ts'
import type { Notice } from '../../../program/index.ts'
import type { FaceFinding, Finding, Segment, Segmenter } from '../../backends.ts'
import { FACE_THRESHOLD } from './faces.ts'
import type { PhotoModels } from './models.ts'
import { OBJECT_THRESHOLD } from './things.ts'
import type { Sight } from './things.ts'

/** Objects are cut out at this size, so that a picture with many stays within seconds. */
const CUT_SIZE = { maxSide: 320, maxBox: 200 } as const
/** Enough to measure colours. */
const QUICK_SIZE = { maxSide: 160, maxBox: 100, iterations: 2 } as const
/** Objects at most; more are named and left out. */
const MOST_OBJECTS = 24
/**
 * A mask that fills less of its box than this has failed, and the box is taken. A box that reaches
 * three borders of the picture shows no surroundings to tell the object from, so it must fill more.
 */
const LEAST_FILL = 0.12
const LEAST_FILL_AT_BORDERS = 0.6

/**
 * Cuts out what the detector finds, object by object: GrabCut within each box.
 *
 * Not panoptic: sky, grass and walls are no objects here. Where objects overlap, the nearer one (its
 * foot is lower in the picture) keeps the pixels.
 *
 * @source photo-starter §7
 */
export function photoSegmenter(sight: Sight, models: PhotoModels): Segmenter {
  return {
    name: 'photo/grabcut',
    models: () => [models.stamp('centernet')],
    can: ['cuts out objects of the 80 everyday kinds, and anything within a box or clicked on'],
    cannot: [
      'ground, sky and walls: a panoptic model from the hub',
      'thin parts, shadows and white on white: SAM or MaskFormer from the hub',
    ],
    vocabulary: sight.vocabulary,
    segment: async (image, { signal } = {}) => {
      const found = (await sight.eyes.objects(image, { signal })).filter(
        (one) => one.score > OBJECT_THRESHOLD,
      )
      const people = found.some((one) => one.name === 'person')
      const faces = people ? await sight.eyes.faces(image, { signal }) : []
      const segments: Segment[] = []
      const boxed: string[] = []
      for (const one of found.slice(0, MOST_OBJECTS)) {
        const box = pixelBox(one.box, image)
        if (box === undefined) continue
        const plus = one.name === 'person' ? facePoints(faces, box) : []
        const cut = await cutWell(image, { box, plus }, signal)
        if (cut === undefined) boxed.push(one.name)
        const mask = cut ?? maskFromBox(box, image.height, image.width)
        segments.push({ mask, label: one.name, score: one.score })
      }
      return {
        segments: withoutOverlap(segments, found),
        notices: notices(boxed, found.slice(MOST_OBJECTS)),
      }
    },
    cut: async (image, seeds, { signal, quick = false } = {}) => {
      const mask = await cutOut(image, seeds, { signal, ...(quick ? QUICK_SIZE : {}) })
      const box = pixelBox(seeds.box, image) ?? [0, 0, image.width, image.height]
      return mask ?? maskFromBox(box, image.height, image.width)
    },
  }
}

/** A cut within a box, or undefined when GrabCut found nearly nothing or nearly all. */
async function cutWell(
  image: Image,
  { box, plus }: { readonly box: Box; readonly plus: readonly Point[] },
  signal: AbortSignal | undefined,
): Promise<MaskRle | undefined> {
  const mask = await cutOut(image, { box, plus }, { ...CUT_SIZE, signal })
  if (mask === undefined) return undefined
  const fill = maskArea(mask) / ((box[2] - box[0]) * (box[3] - box[1]))
  const least = bordersReached(box, image) >= 3 ? LEAST_FILL_AT_BORDERS : LEAST_FILL
  return fill < least ? undefined : mask
}

/** Points on the faces in the upper part of a person's box: a head belongs to its body. */
function facePoints(faces: readonly FaceFinding[], [x1, y1, x2, y2]: Box): readonly Point[] {
  return faces
    .filter((face) => face.score >= FACE_THRESHOLD)
    .flatMap(({ box }) => {
      const [cx, cy] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
      const isTheirs = cx > x1 && cx < x2 && cy > y1 && cy < y1 + 0.5 * (y2 - y1)
      if (!isTheirs) return []
      const [w, h] = [(box[2] - box[0]) / 2, (box[3] - box[1]) / 2]
      // Forehead to chin and cheek to cheek, well within the face.
      return FACE_GRID.map(([u, v]): Point => [cx + u * w, cy + v * h])
    })
}

/** Places in a face, -1..1 of its box: along the middle, and across the eyes and the mouth. */
const FACE_GRID: readonly Point[] = [-0.6, -0.3, 0, 0.3, 0.6].flatMap((step): readonly Point[] => [
  [0, step],
  [step, -0.25],
  [step * 0.7, 0.35],
])

function bordersReached([x1, y1, x2, y2]: Box, { width, height }: Image): number {
  const near = 0.02 * Math.max(width, height)
  return [x1, y1, width - x2, height - y2].filter((gap) => gap <= near).length
}

/** Takes from each mask what belongs to objects nearer to the viewer. */
function withoutOverlap(
  segments: readonly Segment[],
  found: readonly Finding[],
): readonly Segment[] {
  const foot = (i: number): number => found[i]?.box[3] ?? 0
  return segments.map((one, i) => {
    const nearer = segments.filter((_, k) => k !== i && foot(k) > foot(i))
    const mask = nearer.reduce((rest, other) => subtractMask(rest, other.mask), one.mask)
    // An object that would vanish behind others keeps its own outline.
    return maskArea(mask) < 0.3 * maskArea(one.mask) ? one : { ...one, mask }
  })
}

function notices(boxed: readonly string[], left: readonly Finding[]): readonly Notice[] {
  return [
    ...(boxed.length === 0
      ? []
      : [
          {
            code: 'N_BOX_AS_MASK',
            message: `No outline stood out for ${boxed.join(', ')}: the box is taken.`,
          },
        ]),
    ...(left.length === 0
      ? []
      : [{ code: 'N_LIMIT', message: `${left.length} more objects were found and not cut out.` }]),
  ]
}
