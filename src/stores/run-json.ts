import type { Run, Task } from '../agents/index.ts'

/** A picture, as tasks hold it. */
export type Image = Task['inputs'][string]

/** A picture as it stands in a stored run: everything but the pixels, which lie under its hash. */
export type PackedImage = Omit<Image, 'data'>

/** A run as JSON: pictures by reference. */
export type PackedRun = Packed<Run>

/** `T` with pictures by reference. */
export type Packed<T> = T extends Image
  ? PackedImage
  : T extends object
    ? { readonly [K in keyof T]: Packed<T[K]> }
    : T

/** Gives back the pixels of a stored picture. */
export type PictureSource = (image: PackedImage) => Promise<Image>

/** A copy of a value of any depth with pictures by reference; what is left is JSON. */
export function packValue<T>(value: T): Packed<T> {
  return mapImages(value, (image) => {
    const { data: _pixels, ...rest } = image as Image
    return rest
  }) as Packed<T>
}

/** The pictures of a value of any depth, once each, in order of appearance. */
export function picturesIn(value: unknown): readonly Image[] {
  const found = new Map<string, Image>()
  mapImages(value, (image) => {
    if (!found.has(image.hash)) found.set(image.hash, image as Image)
    return image
  })
  return [...found.values()]
}

/** The run with its pictures loaded, once each. */
export async function unpackRun(run: PackedRun, load: PictureSource): Promise<Run> {
  const loaded = new Map<PackedImage, Promise<Image>>()
  const byHash = new Map<string, Promise<Image>>()
  mapImages(run, (image) => {
    const key = `${image.hash}/${image.frame.id}/${image.tags?.length ?? 0}`
    const picture = byHash.get(key) ?? load(image)
    byHash.set(key, picture)
    loaded.set(image, picture)
    return image
  })
  const pictures = new Map<PackedImage, Image>()
  for (const [image, picture] of loaded) pictures.set(image, await picture)
  return mapImages(run, (image) => pictures.get(image) ?? image) as Run
}

function mapImages(value: unknown, change: (image: PackedImage) => unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: unknown) => mapImages(item, change))
  if (isImage(value)) return change(value)
  const entries = Object.entries(value).map(
    ([key, item]) => [key, mapImages(item, change)] as const,
  )
  return Object.fromEntries(entries)
}

function isImage(value: object): value is PackedImage {
  return 'type' in value && value.type === 'image' && 'hash' in value && 'frame' in value
}
