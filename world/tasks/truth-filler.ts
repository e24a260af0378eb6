import { createImage, maskBox } from '../../src/image/index.ts'
import type { Image, MaskRle } from '../../src/image/index.ts'
import { drawLayer } from '../layer.ts'
import { repaintWithout } from '../scene.ts'
import type { RawScene } from '../scene.ts'
import type { SceneObject, Sprite } from '../types.ts'

/** What the truth fills holes with. */
export interface Fillings {
  readonly raw: RawScene
  /** A drawing of what the prompt names, not the one in the scene; undefined when there is none. */
  drawingOf(prompt: string): Sprite | undefined
}

/** The scene as it would be without the object, or with another drawing laid over its mask. */
export function fillFromTruth(
  image: Image,
  object: SceneObject | undefined,
  mask: MaskRle,
  prompt: string,
  { raw, drawingOf }: Fillings,
): Image {
  const out = Uint8Array.from(image.data)
  if (object !== undefined) {
    const behind = repaintWithout(raw, Number(object.id.slice(1)) - 1)
    for (let i = 0; i < raw.top.length; i++) {
      if (raw.top[i] !== Number(object.id.slice(1))) continue
      out.set(behind.subarray(i * 3, i * 3 + 3), i * 3)
    }
  }
  if (prompt !== 'background') {
    const drawing = drawingOf(prompt)
    if (drawing === undefined) throw new RangeError(`There is no drawing of "${prompt}".`)
    pasteOver(out, image.width, drawing, mask)
  }
  return createImage(out, image.width, image.height, { frame: image.frame })
}

/** Lays a drawing over the box of a mask, covering it, cut by the mask; what is clear in it shows white. */
export function pasteOver(rgb: Uint8Array, width: number, sprite: Sprite, mask: MaskRle): void {
  const box = maskBox(mask)
  if (box === undefined) return
  const [w, h] = [box[2] - box[0], box[3] - box[1]]
  const grow = Math.max(w / sprite.width, h / sprite.height)
  const longer = Math.max(8, Math.round(Math.max(sprite.width, sprite.height) * grow))
  const look = { hue: 0, tint: false, saturation: 256, contrast: 256 }
  const layer = drawLayer(sprite, { longer, degrees: 0, flip: false, look })
  const left = Math.round((box[0] + box[2] - layer.width) / 2)
  const top = Math.round((box[1] + box[3] - layer.height) / 2)
  const height = mask.size[0]
  let at = 0
  for (const [run, count] of mask.counts.entries()) {
    for (let i = at; run % 2 === 1 && i < at + count; i++) {
      const [x, y] = [Math.trunc(i / height), i % height]
      blend(rgb, (y * width + x) * 3, layer, x - left, y - top)
    }
    at += count
  }
}

function blend(
  rgb: Uint8Array,
  at: number,
  layer: { readonly width: number; readonly height: number; readonly rgba: Uint8Array },
  x: number,
  y: number,
): void {
  if (x < 0 || y < 0 || x >= layer.width || y >= layer.height) return
  const i = (y * layer.width + x) * 4
  const alpha = layer.rgba[i + 3] as number
  for (let c = 0; c < 3; c++) {
    const old = rgb[at + c] as number
    rgb[at + c] = old + Math.trunc((((layer.rgba[i + c] as number) - old) * alpha) / 255)
  }
}
