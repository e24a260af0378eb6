import { readFile } from 'node:fs/promises'
import { Bug, noProgress, sha256 } from '../../src/base/index.ts'
import type { Abortable, Progress } from '../../src/base/index.ts'
import { decodeRgba, renderSvg } from '../../src/image/index.ts'
import type { Rgba } from '../../src/image/index.ts'
import type { Concept } from '../concepts.ts'
import type { Sprite } from '../types.ts'
import { findDrawings } from './find-drawings.ts'
import type { Drawing } from './find-drawings.ts'
import type { DrawingPackage } from './packages.ts'

/** Longer side to which drawings are rasterised, in pixels. */
export const SPRITE_SIDE = 128

/** Rasterises and trims the drawings that a package has of the concepts; 1 to 2 ms each. */
export async function buildSprites(
  source: DrawingPackage,
  concepts: readonly Concept[],
  options: Abortable & { readonly progress?: Progress } = {},
): Promise<readonly Sprite[]> {
  const { signal, progress = noProgress } = options
  const drawings = await findDrawings(source, concepts)
  checkMapped(source, drawings.length)
  const sprites: Sprite[] = []
  for (const [i, drawing] of drawings.entries()) {
    signal?.throwIfAborted()
    const sprite = toSprite(source, drawing, await rasterise(drawing))
    if (sprite !== undefined) sprites.push(sprite)
    if (i % 50 === 0) {
      progress({
        task: `sprites ${source.style}`,
        status: 'progress',
        loaded: i,
        total: drawings.length,
      })
    }
  }
  return sprites
}

/** @throws Bug `E_DRAWINGS` when fewer drawings are mapped than recorded */
export function checkMapped({ name, mapped }: DrawingPackage, found: number): void {
  if (found >= mapped) return
  throw new Bug('E_DRAWINGS', `Only ${found} of ${mapped} drawings of ${name} were mapped.`, {
    fields: { name, mapped, found },
  })
}

async function rasterise({ source }: Drawing): Promise<Rgba> {
  return 'svg' in source
    ? renderSvg(source.svg, SPRITE_SIDE)
    : decodeRgba(await readFile(source.path), { maxSide: SPRITE_SIDE })
}

function toSprite(source: DrawingPackage, drawing: Drawing, picture: Rgba): Sprite | undefined {
  const trimmed = trimAlpha(picture)
  if (trimmed === undefined) return undefined
  return {
    id: `${source.style}/${drawing.key}`,
    concept: drawing.concept,
    style: source.style,
    drawing: `${source.designer}/${drawing.key}`,
    width: trimmed.width,
    height: trimmed.height,
    rgba: trimmed.data,
  }
}

function trimAlpha({ data, width, height }: Rgba): Rgba | undefined {
  let [x1, y1, x2, y2] = [width, height, 0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < 8) continue
      x1 = Math.min(x1, x)
      x2 = Math.max(x2, x + 1)
      y1 = Math.min(y1, y)
      y2 = Math.max(y2, y + 1)
    }
  }
  if (x2 - x1 < 4 || y2 - y1 < 4) return undefined
  const out = new Uint8Array((x2 - x1) * (y2 - y1) * 4)
  for (let y = y1; y < y2; y++) {
    const from = (y * width + x1) * 4
    out.set(data.subarray(from, from + (x2 - x1) * 4), (y - y1) * (x2 - x1) * 4)
  }
  return { width: x2 - x1, height: y2 - y1, data: out }
}

/** The hash that every scene carries: of ids, sizes and pixels, in order of id. */
export function spriteHash(sprites: readonly Sprite[]): string {
  const lines = [...sprites]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((s) => `${s.id} ${s.concept} ${s.width}x${s.height} ${sha256(s.rgba)}`)
  return sha256(lines.join('\n'))
}
