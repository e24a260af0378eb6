import { z } from 'zod'
import {
  createMask,
  emptyMask,
  fromXywh,
  maskFromRings,
  maskFromString,
  toXywh,
  unionMasks,
} from '../../src/image/index.ts'
import type { Box, MaskRle } from '../../src/image/index.ts'
import { captionOf } from '../caption.ts'
import type { Lexicon } from '../lexicon.ts'
import type { TaskScene } from '../tasks/task.ts'
import { jsonPieces } from './json-stream.ts'
import type { Chunks } from './json-stream.ts'

/** One entry of a COCO file; boxes half-open, in pixels, not rounded. */
export type CocoEntry =
  | {
      readonly kind: 'image'
      readonly id: string
      readonly file: string
      readonly width: number
      readonly height: number
      /** LVIS: categories verified absent, and those not marked everywhere. */
      readonly absent: readonly string[]
      readonly notExhaustive: readonly string[]
      readonly pupil?: unknown
    }
  | {
      readonly kind: 'object'
      readonly id: string
      readonly image: string
      readonly category: string
      readonly box: Box
      readonly area: number
      readonly crowd: boolean
      /** Polygons or run lengths as the file has them; `maskOf` makes the mask. */
      readonly segmentation?: Segmentation
    }
  | {
      readonly kind: 'caption'
      readonly id: string
      readonly image: string
      readonly caption: string
    }
  | {
      readonly kind: 'category'
      readonly id: string
      readonly name: string
      readonly synset?: string
      readonly synonyms: readonly string[]
      readonly definition?: string
      readonly pupil?: unknown
    }

export type Segmentation =
  | readonly (readonly number[])[]
  | { readonly size: readonly number[]; readonly counts: string | readonly number[] }

const ids = z.union([z.number(), z.string()]).transform(String)

const imageShape = z.looseObject({
  id: ids,
  file_name: z.string().optional(),
  coco_url: z.string().optional(),
  width: z.number(),
  height: z.number(),
  neg_category_ids: z.array(ids).default([]),
  not_exhaustive_category_ids: z.array(ids).default([]),
  pupil: z.unknown().optional(),
})

const annotationShape = z.looseObject({
  id: ids,
  image_id: ids,
  category_id: ids.optional(),
  caption: z.string().optional(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  area: z.number().optional(),
  iscrowd: z.union([z.number(), z.boolean()]).default(0),
  segmentation: z
    .union([
      z.array(z.array(z.number())),
      z.object({ size: z.array(z.number()), counts: z.union([z.string(), z.array(z.number())]) }),
    ])
    .optional(),
})

const categoryShape = z.looseObject({
  id: ids,
  name: z.string(),
  synset: z.string().optional(),
  synonyms: z.array(z.string()).default([]),
  def: z.string().optional(),
  pupil: z.unknown().optional(),
})

/**
 * Images, objects, captions and categories of a COCO or LVIS file, in its own order, one after another.
 *
 * LVIS has no `file_name`: it is the last part of `coco_url`; blanks stand for the underscores of names.
 */
export async function* readCoco(chunks: Chunks): AsyncGenerator<CocoEntry> {
  for await (const { path, value } of jsonPieces(chunks, 2)) {
    if (path.length < 2) continue
    if (path[0] === 'images') yield imageEntry(imageShape.parse(value))
    else if (path[0] === 'annotations') yield annotationEntry(annotationShape.parse(value))
    else if (path[0] === 'categories') yield categoryEntry(categoryShape.parse(value))
  }
}

function imageEntry(one: z.infer<typeof imageShape>): CocoEntry {
  return {
    kind: 'image',
    id: one.id,
    file: one.file_name ?? one.coco_url?.split('/').at(-1) ?? `${one.id}.jpg`,
    width: one.width,
    height: one.height,
    absent: one.neg_category_ids,
    notExhaustive: one.not_exhaustive_category_ids,
    ...(one.pupil === undefined ? {} : { pupil: one.pupil }),
  }
}

function annotationEntry(one: z.infer<typeof annotationShape>): CocoEntry {
  if (one.bbox === undefined) {
    return { kind: 'caption', id: one.id, image: one.image_id, caption: one.caption ?? '' }
  }
  const box = fromXywh(one.bbox)
  return {
    kind: 'object',
    id: one.id,
    image: one.image_id,
    category: one.category_id ?? '',
    box,
    area: one.area ?? one.bbox[2] * one.bbox[3],
    crowd: Boolean(one.iscrowd),
    ...(one.segmentation === undefined ? {} : { segmentation: one.segmentation }),
  }
}

function categoryEntry(one: z.infer<typeof categoryShape>): CocoEntry {
  return {
    kind: 'category',
    id: one.id,
    name: one.name.replaceAll('_', ' '),
    synonyms: one.synonyms.map((name) => name.replaceAll('_', ' ')),
    ...(one.synset === undefined ? {} : { synset: one.synset }),
    ...(one.def === undefined ? {} : { definition: one.def }),
    ...(one.pupil === undefined ? {} : { pupil: one.pupil }),
  }
}

/** The mask of a segmentation in a picture of that size; polygons are joined. */
export function maskOf(segmentation: Segmentation, width: number, height: number): MaskRle {
  if (!('counts' in segmentation)) {
    const rings = segmentation.map((flat) =>
      Array.from(
        { length: flat.length >> 1 },
        (_, i) => [flat[2 * i] ?? 0, flat[2 * i + 1] ?? 0] as const,
      ),
    )
    return unionMasks(
      emptyMask(height, width),
      ...rings.map((ring) => maskFromRings([ring], height, width)),
    )
  }
  const { counts } = segmentation
  return typeof counts === 'string'
    ? maskFromString(counts, height, width)
    : createMask(height, width, counts)
}

/** Detections and captions of scenes as COCO files them; masks as plain run lengths. */
export function writeCoco(
  scenes: readonly TaskScene[],
  lexicon: Lexicon,
): { readonly instances: string; readonly captions: string } {
  const categories = categoriesOf(scenes, lexicon)
  const numbers = new Map(categories.map(({ concept, id }) => [concept, id]))
  const images = scenes.map((scene, i) => ({
    id: i + 1,
    file_name: scene.image,
    width: scene.graph.width,
    height: scene.graph.height,
    pupil: scene,
  }))
  let id = 0
  const annotations = scenes.flatMap(({ graph }, i) =>
    graph.objects.map((one) => ({
      id: ++id,
      image_id: i + 1,
      category_id: numbers.get(one.concept),
      bbox: toXywh(one.box),
      area: one.visibleArea,
      iscrowd: 0,
      segmentation: one.mask,
    })),
  )
  return {
    instances: JSON.stringify({
      images,
      annotations,
      categories: categories.map(({ concept, ...rest }) => ({ ...rest, pupil: { concept } })),
    }),
    captions: JSON.stringify({
      images: images.map(({ pupil: _, ...rest }) => rest),
      annotations: scenes.map(({ graph }, i) => ({
        id: i + 1,
        image_id: i + 1,
        caption: captionOf(lexicon, graph),
      })),
    }),
  }
}

/** Numbers and names of the concepts that stand in scenes, in order of their ids. */
export function categoriesOf(
  scenes: readonly TaskScene[],
  lexicon: Lexicon,
): readonly { id: number; concept: string; name: string; supercategory: string }[] {
  const concepts = new Set(scenes.flatMap(({ graph }) => graph.objects.map((one) => one.concept)))
  return [...concepts].sort().map((concept, i) => {
    const { label, group } = lexicon.concept(concept)
    return { id: i + 1, concept, name: label, supercategory: group }
  })
}
