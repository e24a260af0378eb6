import { toXywh } from '../../src/image/index.ts'
import type { Lexicon } from '../lexicon.ts'
import type { TaskScene } from '../tasks/task.ts'
import { categoriesOf } from './coco.ts'

/** A scene with concepts that are surely not in it. */
export interface LvisScene extends TaskScene {
  readonly absent?: readonly string[]
}

/**
 * Scenes as LVIS v1 files them: no `file_name`, names with underscores, verified-absent classes, and
 * synset names such as `owl.n.01`. Their numbers count the senses of WordNet 3.1, where LVIS counts 3.0;
 * the sense key stands under `pupil`.
 */
export function writeLvis(scenes: readonly LvisScene[], lexicon: Lexicon): string {
  const absent = scenes.flatMap((one) => one.absent ?? [])
  const categories = categoriesOf(scenes, lexicon)
  const more = [...new Set(absent)].filter(
    (id) => !categories.some(({ concept }) => concept === id),
  )
  const all = [
    ...categories,
    ...more.map((concept, i) => ({
      id: categories.length + i + 1,
      concept,
      name: lexicon.concept(concept).label,
    })),
  ]
  const numbers = new Map(all.map(({ concept, id }) => [concept, id]))
  let id = 0
  return JSON.stringify({
    images: scenes.map((scene, i) => ({
      id: i + 1,
      coco_url: `pupil://world/${scene.image}`,
      width: scene.graph.width,
      height: scene.graph.height,
      neg_category_ids: (scene.absent ?? []).map((concept) => numbers.get(concept)),
      not_exhaustive_category_ids: [],
      pupil: { image: scene.image, recipe: scene.recipe, graph: scene.graph },
    })),
    annotations: scenes.flatMap(({ graph }, i) =>
      graph.objects.map((one) => ({
        id: ++id,
        image_id: i + 1,
        category_id: numbers.get(one.concept),
        bbox: toXywh(one.box),
        area: one.visibleArea,
        segmentation: one.mask,
      })),
    ),
    categories: all.map((one) => lvisCategory(one, scenes, lexicon)),
  })
}

function lvisCategory(
  { id, concept, name }: { readonly id: number; readonly concept: string; readonly name: string },
  scenes: readonly LvisScene[],
  lexicon: Lexicon,
): Readonly<Record<string, unknown>> {
  const { synonyms, synset } = lexicon.concept(concept)
  const has = scenes.map(
    ({ graph }) => graph.objects.filter((one) => one.concept === concept).length,
  )
  const images = has.filter((count) => count > 0).length
  return {
    id,
    name: underscored(name),
    synonyms: [name, ...synonyms].map(underscored),
    synset: synsetName(concept, lexicon),
    def: lexicon.synset(concept).gloss,
    frequency: images > 100 ? 'f' : images > 10 ? 'c' : 'r',
    image_count: images,
    instance_count: has.reduce((a, b) => a + b, 0),
    pupil: { concept, senseKey: synset },
  }
}

function synsetName(concept: string, lexicon: Lexicon): string {
  const sense = lexicon.synset(concept)
  const lemma = lexicon.concept(concept).synset.split('%')[0] ?? concept
  const at = lexicon.wordnet.meanings(lemma).findIndex(({ id }) => id === sense.id)
  return `${lemma}.n.${String(at + 1).padStart(2, '0')}`
}

function underscored(name: string): string {
  return name.replaceAll(' ', '_')
}
