import type { Frame, Image, MaskRle, ObjectRecord } from '../image/index.ts'
import { isImage, isList } from './kind.ts'
import type { ArgTrace, CallStep } from './step.ts'
import type { ListValue, Value } from './value.ts'

/** A picture by reference: where its pixels are found, and how it relates to others. */
export interface ImageRef {
  readonly type: 'image'
  /** SHA-256 of size and pixels. */
  readonly hash: string
  readonly width: number
  readonly height: number
  readonly frame: Frame
  readonly parent?: string
  readonly tags?: readonly ObjectRecord[]
}

/** A value as JSON; pictures by reference. */
export type ValueJson =
  string | number | boolean | null | ImageRef | ObjectRecord | readonly ValueJson[]

/** A step as JSON. */
export type CallStepJson = Omit<CallStep, 'args' | 'result'> & {
  readonly args: readonly (Omit<ArgTrace, 'value'> & { readonly value: ValueJson })[]
  readonly result?: ValueJson
}

/** Where the pixels of a reference come from. */
export interface ImageLoader {
  image(hash: string, ref: ImageRef): Image | Promise<Image>
}

/** The value as JSON; a picture becomes its hash, size, frame, parent and tags. */
export function valueToJson(value: Value): ValueJson {
  if (isList(value)) return value.map(valueToJson)
  return isImage(value) ? imageRef(value) : (value as Exclude<Value, Image | ListValue>)
}

export function imageRef(image: Image): ImageRef {
  const { hash, width, height, frame, parent, tags } = image
  return {
    type: 'image',
    hash,
    width,
    height,
    frame,
    ...(parent === undefined ? {} : { parent }),
    ...(tags === undefined ? {} : { tags }),
  }
}

/** The value of its JSON, frozen; each picture is loaded by its hash and keeps its own frame. */
export async function valueFromJson(json: ValueJson, loader: ImageLoader): Promise<Value> {
  if (Array.isArray(json)) {
    const items = (json as readonly ValueJson[]).map((item) => valueFromJson(item, loader))
    return Object.freeze(await Promise.all(items))
  }
  const single = json as Exclude<ValueJson, readonly ValueJson[]>
  if (single === null || typeof single !== 'object') return single
  return single.type === 'image' ? imageFromRef(single, loader) : objectFromJson(single)
}

async function imageFromRef(ref: ImageRef, loader: ImageLoader): Promise<Image> {
  const { data } = await loader.image(ref.hash, ref)
  const { hash, width, height, parent, tags } = ref
  return Object.freeze({
    type: 'image',
    width,
    height,
    data,
    frame: frozenFrame(ref.frame),
    hash,
    ...(parent === undefined ? {} : { parent }),
    ...(tags === undefined ? {} : { tags: Object.freeze(tags.map(objectFromJson)) }),
  })
}

function objectFromJson(json: ObjectRecord): ObjectRecord {
  const [x1, y1, x2, y2] = json.box
  return Object.freeze({
    ...json,
    box: Object.freeze([x1, y1, x2, y2] as const),
    mask: json.mask === null ? null : frozenMask(json.mask),
    frame: frozenFrame(json.frame),
  })
}

function frozenFrame(frame: Frame): Frame {
  const [sx, sy] = frame.scale
  return Object.freeze({ ...frame, scale: Object.freeze([sx, sy] as const) })
}

function frozenMask({ size: [height, width], counts }: MaskRle): MaskRle {
  return Object.freeze({
    size: Object.freeze([height, width] as const),
    counts: Object.freeze([...counts]),
  })
}

/** The step as JSON, enough with the pictures to rebuild each view of it. */
export function stepToJson(step: CallStep): CallStepJson {
  const { args, result, ...rest } = step
  return {
    ...rest,
    args: args.map((arg) => ({ ...arg, value: valueToJson(arg.value) })),
    ...(result === undefined ? {} : { result: valueToJson(result) }),
  }
}

/** The step of its JSON. */
export async function stepFromJson(json: CallStepJson, loader: ImageLoader): Promise<CallStep> {
  const { args, result, ...rest } = json
  const values = await Promise.all(args.map((arg) => valueFromJson(arg.value, loader)))
  return Object.freeze({
    ...rest,
    args: Object.freeze(args.map((arg, i) => Object.freeze({ ...arg, value: values[i] ?? null }))),
    ...(result === undefined ? {} : { result: await valueFromJson(result, loader) }),
  })
}

/** Every picture that a JSON value refers to, in order, without repetition of a hash. */
export function imageRefs(json: ValueJson): readonly ImageRef[] {
  const found = new Map<string, ImageRef>()
  const visit = (one: ValueJson): void => {
    if (Array.isArray(one)) for (const item of one as readonly ValueJson[]) visit(item)
    else if (one !== null && typeof one === 'object' && 'hash' in one) found.set(one.hash, one)
  }
  visit(json)
  return [...found.values()]
}
