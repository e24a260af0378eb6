import type { Box, MaskRle } from '../src/image/index.ts'
import { colourFact, colourOfPixel } from './colour.ts'
import { SCENE_VERSION } from './scene.ts'
import type { Placed, RawScene } from './scene.ts'
import type { ColourWord, Place, RelationName, Scene, SceneObject } from './types.ts'

/** True, false, or not clear enough to be asked. */
export type Fact = 'yes' | 'no' | 'unclear'

/** What is exactly true in a painted scene. @source picture-world §4 */
export function sceneTruth(
  raw: RawScene,
  names: { readonly sprites: string; synset(concept: string): string },
): Scene {
  const objects = raw.placed.map((placed, i) => objectTruth(raw, placed, i, names.synset))
  return {
    version: SCENE_VERSION,
    seed: raw.seed,
    width: raw.width,
    height: raw.height,
    sprites: names.sprites,
    ground: raw.ground,
    clutter: raw.clutter,
    objects,
    relations: objects.flatMap((a, i) =>
      objects.flatMap((b, j) => (i === j ? [] : relationsOf(a, b))),
    ),
  }
}

function objectTruth(
  raw: RawScene,
  placed: Placed,
  i: number,
  synset: (concept: string) => string,
): SceneObject {
  const { layer, x, y, sprite, pose } = placed
  const full = (px: number, py: number): boolean => {
    const [lx, ly] = [px - x, py - y]
    if (lx < 0 || ly < 0 || lx >= layer.width || ly >= layer.height) return false
    return (layer.rgba[(ly * layer.width + lx) * 4 + 3] as number) >= 128
  }
  const seen = (px: number, py: number): boolean => raw.top[py * raw.width + px] === i + 1
  const span: Box = [x, y, x + layer.width, y + layer.height]
  const fullBox = tightBox(span, full)
  const box = tightBox(span, seen)
  const longer = Math.max(fullBox[2] - fullBox[0], fullBox[3] - fullBox[1])
  const scale = (n: number): number => (n * raw.width) / 256
  return {
    id: `o${i + 1}`,
    concept: sprite.concept,
    synset: synset(sprite.concept),
    style: sprite.style,
    sprite: sprite.id,
    z: i,
    box,
    fullBox,
    mask: maskWhere(raw, box, seen),
    fullMask: maskWhere(raw, fullBox, full),
    area: layer.area,
    visibleArea: countWhere(box, seen),
    longer,
    rotation: pose.degrees,
    flip: pose.flip,
    tint: placed.tint,
    ...colourWhere(raw, box, i + 1),
    size: longer <= scale(56) ? 'small' : longer >= scale(96) ? 'large' : null,
    places: placesOf(box, raw.width, raw.height),
  }
}

function tightBox([x1, y1, x2, y2]: Box, inside: (x: number, y: number) => boolean): Box {
  let [left, upper, right, lower] = [x2, y2, x1, y1]
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) {
      if (!inside(x, y)) continue
      if (x < left) left = x
      if (x >= right) right = x + 1
      if (y < upper) upper = y
      if (y >= lower) lower = y + 1
    }
  }
  return [left, upper, right, lower]
}

function countWhere([x1, y1, x2, y2]: Box, inside: (x: number, y: number) => boolean): number {
  let count = 0
  for (let y = y1; y < y2; y++) for (let x = x1; x < x2; x++) if (inside(x, y)) count++
  return count
}

function maskWhere(
  { width, height }: RawScene,
  [x1, y1, x2, y2]: Box,
  inside: (x: number, y: number) => boolean,
): MaskRle {
  const counts: number[] = []
  let run = x1 * height
  let on = false
  for (let x = x1; x < x2; x++) {
    // Above and below the box nothing is inside.
    if (on && y1 > 0) {
      counts.push(run)
      run = 0
      on = false
    }
    run += y1
    for (let y = y1; y < y2; y++) {
      if (inside(x, y) !== on) {
        counts.push(run)
        run = 0
        on = !on
      }
      run++
    }
    if (on && y2 < height) {
      counts.push(run)
      run = 0
      on = false
    }
    run += height - y2
  }
  if (on) {
    counts.push(run)
    run = 0
  }
  const rest = run + (width - x2) * height
  if (rest > 0) counts.push(rest)
  return { size: [height, width], counts }
}

function colourWhere(
  raw: RawScene,
  [x1, y1, x2, y2]: Box,
  id: number,
): Pick<SceneObject, 'colour' | 'shares'> {
  const counts = new Map<ColourWord, number>()
  let whole = 0
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) {
      const pixel = y * raw.width + x
      if (raw.top[pixel] !== id) continue
      whole++
      const word = wordOfPixel(raw.rgb, pixel * 3)
      if (word !== null) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const colour = sorted.find(([, count]) => colourFact(count, whole) === 'yes')?.[0] ?? null
  const shares = sorted.map(([word, count]) => [word, Math.trunc((count * 100) / whole)] as const)
  return { colour, shares: Object.fromEntries(shares.filter(([, share]) => share > 0)) }
}

/** Words of colours looked up lately, by the colour plus one; drawings repeat theirs. */
const MEMO = 4096
const memoKeys = new Int32Array(MEMO)
const memoWords: (ColourWord | null)[] = Array.from({ length: MEMO }, () => null)

function wordOfPixel(rgb: Uint8Array, at: number): ColourWord | null {
  const [r, g, b] = [rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number]
  const key = ((r << 16) | (g << 8) | b) + 1
  const slot = Math.imul(key, 0x9e3779b1) >>> 20
  if (memoKeys[slot] !== key) {
    memoKeys[slot] = key
    memoWords[slot] = colourOfPixel(r, g, b)
  }
  return memoWords[slot] ?? null
}

function placesOf([x1, y1, x2, y2]: Box, width: number, height: number): Place[] {
  const places: Place[] = []
  if (x2 <= Math.ceil(width / 2)) places.push('left')
  if (x1 >= Math.floor(width / 2)) places.push('right')
  if (y2 <= Math.ceil(height / 2)) places.push('top')
  if (y1 >= Math.floor(height / 2)) places.push('bottom')
  return places
}

/** A wholly inside what CROP_LEFTOF gives for B; `no` when it is wholly right of B's middle. */
export function leftOf(a: Box, b: Box): Fact {
  const middle = Math.floor((b[0] + b[2]) / 2)
  return a[2] <= middle ? 'yes' : a[0] >= middle ? 'no' : 'unclear'
}

/** A wholly inside what CROP_ABOVE gives for B. */
export function above(a: Box, b: Box): Fact {
  const middle = Math.floor((b[1] + b[3]) / 2)
  return a[3] <= middle ? 'yes' : a[1] >= middle ? 'no' : 'unclear'
}

/** Areas of full masks: at least 1.5 times. */
export function largerThan(a: number, b: number): Fact {
  return a * 2 >= b * 3 ? 'yes' : b * 2 >= a * 3 ? 'no' : 'unclear'
}

/** Higher in z and sharing at least 5 % of the smaller full mask; `no` when they share nothing or the reverse. */
export function inFrontOf(a: SceneObject, b: SceneObject): Fact {
  const shared = touch(a.fullBox, b.fullBox) ? sharedPixels(a.fullMask, b.fullMask) : 0
  if (shared === 0) return 'no'
  if (shared * 20 < Math.min(a.area, b.area)) return 'unclear'
  return a.z > b.z ? 'yes' : 'no'
}

function touch(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

function sharedPixels(a: MaskRle, b: MaskRle): number {
  const runs = (mask: MaskRle): [number, number][] => {
    let at = 0
    return mask.counts.flatMap((count, i) => {
      at += count
      return i % 2 === 1 ? [[at - count, at] as [number, number]] : []
    })
  }
  const [first, second] = [runs(a), runs(b)]
  let [i, j, shared] = [0, 0, 0]
  while (i < first.length && j < second.length) {
    const [s1, e1] = first[i] as [number, number]
    const [s2, e2] = second[j] as [number, number]
    shared += Math.max(0, Math.min(e1, e2) - Math.max(s1, s2))
    if (e1 < e2) i++
    else j++
  }
  return shared
}

function relationsOf(a: SceneObject, b: SceneObject): Scene['relations'] {
  const facts: readonly (readonly [RelationName, boolean])[] = [
    ['to the left of', leftOf(a.box, b.box) === 'yes'],
    ['to the right of', leftOf(a.box, b.box) === 'no'],
    ['above', above(a.box, b.box) === 'yes'],
    ['below', above(a.box, b.box) === 'no'],
    ['in front of', inFrontOf(a, b) === 'yes'],
    ['behind', inFrontOf(b, a) === 'yes'],
  ]
  return facts.flatMap(([name, holds]) => (holds ? [{ subject: a.id, name, object: b.id }] : []))
}
