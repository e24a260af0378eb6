import { paintClutter, paintGround } from './ground.ts'
import type { Painting } from './ground.ts'
import { drawLayer } from './layer.ts'
import type { Layer, Look, Pose } from './layer.ts'
import { overlaps, paintLayer, paintShadow } from './paint.ts'
import { streamOf } from './stream.ts'
import type { Stream } from './stream.ts'
import type { ColourWord, Sprite } from './types.ts'

export const SCENE_VERSION = '1'

export interface SceneOptions {
  /** Width and height in pixels, at least 64; default 256. */
  readonly size?: number
  /** Objects wanted, 1 to 8; default 2 to 8 by the seed. Fewer stand where no room is left. */
  readonly objects?: number
  /** Drawings to choose from. */
  readonly sprites: readonly Sprite[]
  /** Concepts that must stand in the scene, in order of placing; the rest is drawn at random. */
  readonly wanted?: readonly string[]
  /** Concepts that must not stand in it. */
  readonly without?: ReadonlySet<string>
  /** Tints of the wanted concepts, in their order; where none stands, chance decides. */
  readonly tints?: readonly (ColourWord | null)[]
  /** Concepts whose coloured parts may be tinted. */
  readonly tintable?: ReadonlySet<string>
}

/** An object as it was painted; x and y are the layer's left upper corner. */
export interface Placed {
  readonly sprite: Sprite
  readonly layer: Layer
  readonly pose: Pose
  readonly tint: ColourWord | null
  readonly x: number
  readonly y: number
}

/** Raw pixels of a scene and what was painted; the truth is worked out by `sceneTruth` when wanted. */
export interface RawScene {
  readonly seed: number
  readonly width: number
  readonly height: number
  /** [height, width, 3] RGB. */
  readonly rgb: Uint8Array
  /** [height, width]: which object (1-based) shows there, 0 for none. */
  readonly top: Uint8Array
  readonly placed: readonly Placed[]
  readonly ground: string
  readonly clutter: number
  /** Strength of the shadows, 0 for none. */
  readonly shadow: number
}

/** Hues (0..1535) that a tint may take, with its colour word. */
const TINTS: readonly (readonly [ColourWord, number])[] = [
  ['red', 0],
  ['orange', 122],
  ['yellow', 230],
  ['green', 530],
  ['blue', 930],
  ['purple', 1180],
  ['pink', 1400],
]

/**
 * Paints the scene of a seed: same seed, sprites and options, same bytes on every machine.
 *
 * @source picture-world §4
 */
export function paintScene(seed: number, options: SceneOptions): RawScene {
  const size = options.size ?? 256
  const painting: Painting = {
    width: size,
    height: size,
    rgb: new Uint8Array(size * size * 3),
    top: new Uint8Array(size * size),
  }
  const groundStream = streamOf(seed, 'ground')
  const ground = paintGround(painting, groundStream)
  const clutter = paintClutter(painting, groundStream)
  const { placed, shadow } = placeObjects(seed, painting, options)
  return { seed, ...painting, placed, ground, clutter, shadow }
}

/** The pixels of the scene as they would be without one of its objects and its shadow. */
export function repaintWithout(raw: RawScene, index: number): Uint8Array {
  const { width, height } = raw
  const rgb = new Uint8Array(raw.rgb.length)
  const painting: Painting = { width, height, rgb, top: new Uint8Array(raw.top.length) }
  const groundStream = streamOf(raw.seed, 'ground')
  paintGround(painting, groundStream)
  paintClutter(painting, groundStream)
  for (const [i, { layer, x, y }] of raw.placed.entries()) {
    if (i === index) continue
    if (raw.shadow > 0) paintShadow(painting, layer, x, y, raw.shadow)
    paintLayer(painting, layer, x, y, i + 1)
  }
  return rgb
}

function placeObjects(
  seed: number,
  painting: Painting,
  options: SceneOptions,
): { readonly placed: Placed[]; readonly shadow: number } {
  const layout = streamOf(seed, 'layout')
  const looks = streamOf(seed, 'looks')
  const strength = looks.range(0, 110)
  const shadow = strength > 20 ? strength : 0
  const count = options.objects ?? layout.range(2, 8)
  const placed: Placed[] = []
  const visible = [0]
  for (let n = 0; n < count; n++) {
    const sprite = chooseSprite(layout, options, n)
    if (sprite === undefined) continue
    const tint = chooseTint(looks, sprite, options, n)
    const pose = choosePose(layout, looks, painting.width, tint)
    const layer = drawLayer(sprite, pose)
    const spot = findSpot(layout, painting, layer, visible, placed)
    if (spot === undefined) continue
    for (const [id, hidden] of spot.hidden.entries()) visible[id] = (visible[id] ?? 0) - hidden
    if (shadow > 0) paintShadow(painting, layer, spot.x, spot.y, shadow)
    paintLayer(painting, layer, spot.x, spot.y, placed.length + 1)
    visible.push(layer.area)
    placed.push({ sprite, layer, pose, tint: tint?.[0] ?? null, x: spot.x, y: spot.y })
  }
  return { placed, shadow }
}

function chooseSprite(layout: Stream, options: SceneOptions, n: number): Sprite | undefined {
  const wanted = options.wanted?.[n]
  const pool = byConcept(options.sprites)
  if (wanted !== undefined) {
    const drawings = pool.of.get(wanted)
    return drawings === undefined ? undefined : layout.pick(drawings)
  }
  for (let attempt = 0; attempt < 20; attempt++) {
    const concept = layout.pick(pool.names)
    if (options.without?.has(concept)) continue
    return layout.pick(pool.of.get(concept) ?? [])
  }
  return undefined
}

interface Pool {
  readonly names: readonly string[]
  readonly of: ReadonlyMap<string, readonly Sprite[]>
}

const pools = new WeakMap<readonly Sprite[], Pool>()

function byConcept(sprites: readonly Sprite[]): Pool {
  const known = pools.get(sprites)
  if (known !== undefined) return known
  const of = Map.groupBy(sprites, (sprite) => sprite.concept)
  const made = { names: [...of.keys()].sort(), of }
  pools.set(sprites, made)
  return made
}

function chooseTint(
  looks: Stream,
  sprite: Sprite,
  options: SceneOptions,
  n: number,
): readonly [ColourWord, number] | null {
  const wants = looks.chance(2, 3)
  const tint = looks.pick(TINTS)
  const wished = TINTS.find(([word]) => word === options.tints?.[n])
  if (wished !== undefined) return wished
  return wants && options.tintable?.has(sprite.concept) ? tint : null
}

function choosePose(
  layout: Stream,
  looks: Stream,
  side: number,
  tint: readonly [ColourWord, number] | null,
): Pose {
  const look: Look = {
    hue: tint === null ? (looks.range(-24, 24) + 1536) % 1536 : tint[1],
    tint: tint !== null,
    saturation: looks.range(205, 307),
    contrast: looks.range(218, 282),
  }
  const longer = Math.trunc((layout.range(40, 120) * side) / 256)
  return { longer, degrees: layout.range(-15, 15), flip: layout.chance(1, 2), look }
}

function findSpot(
  layout: Stream,
  painting: Painting,
  layer: Layer,
  visible: readonly number[],
  placed: readonly Placed[],
): { x: number; y: number; hidden: number[] } | undefined {
  if (layer.width > painting.width || layer.height > painting.height || layer.area < 40) {
    return undefined
  }
  const mayLose = [0, ...placed.map(({ layer: { area } }, i) => spare(area, visible[i + 1] ?? 0))]
  for (let attempt = 0; attempt < 24; attempt++) {
    const x = layout.range(0, painting.width - layer.width)
    const y = layout.range(0, painting.height - layer.height)
    const hidden = overlaps(painting, layer, { x, y }, placed, mayLose)
    if (hidden !== undefined) return { x, y, hidden }
  }
  return undefined
}

/** How many more pixels may be hidden so that it `staysVisible`. */
function spare(area: number, visible: number): number {
  return visible - Math.ceil((area * 7) / 10)
}

/** True while at most 30 % of an object's opaque pixels are hidden. */
export function staysVisible(area: number, visible: number): boolean {
  return visible * 10 >= area * 7
}
