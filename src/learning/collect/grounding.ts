import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nearestNames, UserFault } from '../../base/index.ts'
import { decodePicture, maskFromRings, maskFromString, fromXywh } from '../../image/index.ts'
import type { Box, Image, MaskRle } from '../../image/index.ts'
import { normaliseName } from '../../tools/index.ts'
import type { FoundExample, PictureFinder } from './finder.ts'

/** An annotated data set on disk: COCO or LVIS instances, and the folder of its pictures. */
export interface GroundingFiles {
  readonly annotations: string
  readonly pictures: string
  /** Told with each picture; default that of the data set's own `licenses`, else `not said`. */
  readonly licence?: string
}

interface Row {
  readonly id: number
  readonly image_id: number
  readonly category_id: number
  readonly bbox: readonly [number, number, number, number]
  readonly segmentation?: unknown
  readonly iscrowd?: number
}

interface Picture {
  readonly id: number
  readonly file_name?: string
  readonly coco_url?: string
  readonly width: number
  readonly height: number
}

interface Index {
  /** Normalised name or synonym → category. */
  readonly names: ReadonlyMap<string, number>
  readonly labels: ReadonlyMap<number, string>
  readonly pictures: ReadonlyMap<number, Picture>
  readonly byCategory: ReadonlyMap<number, readonly Row[]>
  readonly byPicture: ReadonlyMap<number, readonly Row[]>
}

/**
 * Objects of an open-vocabulary data set with boxes and masks (LOC, SEG): different pictures, the largest of an
 * object first; each picture gives all its objects of that name, and what else is in it.
 *
 * The file is read and indexed once, at the first search; it must fit into memory (LVIS: its validation part).
 *
 * @throws UserFault `E_GROUNDING` for a name that the data set does not have, with near ones
 * @source CLOVA §3.4 (LVIS); clova §5
 */
export function groundingFinder(files: GroundingFiles): PictureFinder {
  let reading: Promise<Index> | undefined
  const index = (): Promise<Index> => {
    reading ??= readIndex(files.annotations)
    reading.catch(() => (reading = undefined))
    return reading
  }
  return {
    name: 'annotated pictures',
    names: async () => [...new Set((await index()).labels.values())],
    find: async (words, { most, signal }) => {
      const known = await index()
      const category = known.names.get(normaliseName(words))
      if (category === undefined) throw noName(words, known)
      const rows = (known.byCategory.get(category) ?? []).toSorted((a, b) => areaOf(b) - areaOf(a))
      const pictures = [...new Set(rows.map(({ image_id }) => image_id))].slice(0, most)
      const found: FoundExample[] = []
      for (const id of pictures) {
        signal?.throwIfAborted()
        const picture = known.pictures.get(id)
        if (picture === undefined) continue
        const image = await readPicture(picture, files, signal)
        if (image === undefined) continue
        found.push(...objectsIn(image, picture, category, known, files))
      }
      return found
    },
  }
}

async function readIndex(path: string): Promise<Index> {
  const json = JSON.parse(await readFile(path, 'utf8')) as {
    categories: { id: number; name: string; synonyms?: string[] }[]
    images: Picture[]
    annotations: Row[]
  }
  const names = new Map<string, number>()
  for (const { id, name, synonyms = [] } of json.categories) {
    for (const one of [name, ...synonyms]) {
      const spoken = normaliseName(one.replace(/_\(.*\)$/, ''))
      if (!names.has(spoken)) names.set(spoken, id)
    }
  }
  const usable = json.annotations.filter(({ iscrowd }) => iscrowd !== 1)
  return {
    names,
    labels: new Map(
      json.categories.map(({ id, name }) => [id, normaliseName(name.replace(/_\(.*\)$/, ''))]),
    ),
    pictures: new Map(json.images.map((one) => [one.id, one])),
    byCategory: Map.groupBy(usable, ({ category_id }) => category_id),
    byPicture: Map.groupBy(usable, ({ image_id }) => image_id),
  }
}

const areaOf = ({ bbox }: Row): number => bbox[2] * bbox[3]

async function readPicture(
  { file_name, coco_url, width }: Picture,
  { pictures }: GroundingFiles,
  signal: AbortSignal | undefined,
): Promise<Image | undefined> {
  const name = file_name ?? coco_url?.split('/').slice(-2).join('/')
  if (name === undefined) return undefined
  const bytes = await readFile(join(pictures, name)).catch(() => undefined)
  // Pictures of a part of the data set may not be here.
  if (bytes === undefined) return undefined
  const { image } = await decodePicture(bytes, { maxSide: 640, ...(signal ? { signal } : {}) })
  return image.width > width ? undefined : image
}

function objectsIn(
  image: Image,
  picture: Picture,
  category: number,
  { byPicture, labels }: Index,
  { licence = 'not said', annotations }: GroundingFiles,
): readonly FoundExample[] {
  const scale = image.width / picture.width
  const rows = byPicture.get(picture.id) ?? []
  const boxOf = ({ bbox }: Row): Box =>
    fromXywh(bbox.map((side) => side * scale) as unknown as Parameters<typeof fromXywh>[0])
  const others = rows
    .filter(({ category_id }) => category_id !== category)
    .map((row) => ({ name: labels.get(row.category_id) ?? '', box: boxOf(row) }))
  return rows
    .filter(({ category_id }) => category_id === category)
    .map((row): FoundExample => {
      const mask = maskOf(row.segmentation, image, scale)
      return {
        ...{ image, box: boxOf(row), others, licence },
        source: `${annotations.split(/[\\/]/).at(-1) ?? ''}#${row.id}`,
        ...(mask === undefined ? {} : { mask }),
      }
    })
}

/** Polygons at the size of the picture; run lengths where it was not reduced. */
function maskOf(segmentation: unknown, image: Image, scale: number): MaskRle | undefined {
  if (Array.isArray(segmentation)) {
    const rings = (segmentation as number[][]).map((flat) =>
      Array.from(
        { length: flat.length >> 1 },
        (_, i) => [(flat[2 * i] ?? 0) * scale, (flat[2 * i + 1] ?? 0) * scale] as const,
      ),
    )
    return rings.length === 0 ? undefined : maskFromRings(rings, image.height, image.width)
  }
  const one = segmentation as { size?: readonly number[]; counts?: unknown } | undefined
  const [height, width] = one?.size ?? []
  if (typeof one?.counts !== 'string' || height !== image.height || width !== image.width) {
    return undefined
  }
  return maskFromString(one.counts, height, width)
}

function noName(words: string, { names }: Index): UserFault {
  const near = nearestNames(normaliseName(words), [...names.keys()])
  return new UserFault('E_GROUNDING', `The annotated pictures have no "${words}".`, {
    fields: { words, near },
    cure: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Give pictures of your own.',
  })
}
