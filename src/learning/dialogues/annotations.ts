import { expected } from '../../base/index.ts'
import type { AnnotatedObject, AnnotatedPicture } from './dialogue.ts'

type Row = Readonly<Record<string, unknown>>

const rows = (value: unknown, name: string): readonly Row[] => {
  if (!Array.isArray(value)) throw expected('a list', name, value)
  return value as readonly Row[]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function boxOf(value: unknown, name: string): AnnotatedObject['box'] {
  const numbers = Array.isArray(value) ? value.map(Number) : []
  const [x = NaN, y = NaN, width = NaN, height = NaN] = numbers
  if (![x, y, width, height].every(Number.isFinite)) throw expected('[x, y, w, h]', name, value)
  return [x, y, x + width, y + height]
}

/**
 * Pictures of COCO or LVIS annotation files: instances, and captions of the same pictures if given.
 *
 * LVIS lists which categories were looked for and are absent (`neg_category_ids`); COCO annotates all its
 * categories, so those without an instance are absent.
 *
 * @param instances  the parsed file (`images`, `annotations`, `categories`)
 * @throws UserFault `E_ARGUMENT` naming the field at fault
 */
export function* readCoco(instances: Row, captions?: Row): Generator<AnnotatedPicture> {
  const names = new Map(
    rows(instances['categories'], 'categories').map((one) => [one['id'], text(one['name'])]),
  )
  const objects = grouped(rows(instances['annotations'], 'annotations'))
  const said = grouped(captions === undefined ? [] : rows(captions['annotations'], 'captions'))
  for (const image of rows(instances['images'], 'images')) {
    const found = (objects.get(image['id']) ?? []).flatMap((one): AnnotatedObject[] => {
      if (one['iscrowd'] === 1) return []
      const category = spoken(names.get(one['category_id']) ?? '')
      const rle = rleOf(one['segmentation'])
      const box = boxOf(one['bbox'], `bbox of annotation ${String(one['id'])}`)
      return [{ category, box, ...(rle === undefined ? {} : { rle }) }]
    })
    const present = new Set(found.map(({ category }) => category))
    const looked = image['neg_category_ids']
    const all = Array.isArray(looked)
      ? looked.map((id) => names.get(id) ?? '')
      : [...names.values()]
    yield {
      id: String(image['id']),
      file: text(image['file_name']) || text(image['coco_url']).split('/').slice(-2).join('/'),
      width: Number(image['width']),
      height: Number(image['height']),
      captions: (said.get(image['id']) ?? []).map((one) => text(one['caption']).trim()),
      objects: found,
      absent: all.map(spoken).filter((name) => name !== '' && !present.has(name)),
    }
  }
}

/** LVIS writes `alarm_clock` and `bow_(weapon)`. */
function spoken(name: string): string {
  return name.replace(/_\(.*\)$/, '').replaceAll('_', ' ')
}

function rleOf(value: unknown): AnnotatedObject['rle'] | undefined {
  const one = value as { size?: unknown; counts?: unknown } | undefined
  const [height, width] = Array.isArray(one?.size) ? one.size.map(Number) : []
  if (typeof one?.counts !== 'string' || height === undefined || width === undefined) {
    return undefined
  }
  return { size: [height, width], counts: one.counts }
}

function grouped(list: readonly Row[]): ReadonlyMap<unknown, readonly Row[]> {
  const groups = new Map<unknown, Row[]>()
  for (const one of list) {
    const group = groups.get(one['image_id'])
    if (group === undefined) groups.set(one['image_id'], [one])
    else group.push(one)
  }
  return groups
}

/**
 * Pictures of Visual Genome: `objects.json`, with `image_data.json` for the sizes and, if given,
 * `region_descriptions.json` for captions. Nothing says what is absent there.
 */
export function* readVisualGenome(
  objects: readonly Row[],
  images: readonly Row[],
  regions: readonly Row[] = [],
): Generator<AnnotatedPicture> {
  const sizes = new Map(images.map((one) => [one['image_id'], one]))
  const said = new Map(regions.map((one) => [one['id'] ?? one['image_id'], one]))
  for (const one of objects) {
    const id = one['image_id']
    const size = sizes.get(id)
    if (size === undefined) throw expected('a row of image_data', `image ${String(id)}`, undefined)
    yield {
      id: String(id),
      file: text(size['url']).split('/').slice(-2).join('/') || `${String(id)}.jpg`,
      width: Number(size['width']),
      height: Number(size['height']),
      captions: rows(said.get(id)?.['regions'] ?? [], 'regions')
        .slice(0, 5)
        .map((region) => text(region['phrase'])),
      objects: rows(one['objects'], 'objects').map((found) => ({
        category: text(rows(found['names'], 'names')[0]),
        box: boxOf([found['x'], found['y'], found['w'], found['h']], 'x, y, w, h'),
      })),
      absent: [],
    }
  }
}
