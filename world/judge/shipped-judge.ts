import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSession } from '../../src/onnx/index.ts'
import { CROP_SIDE, judgeFrom, missingJudge } from './judge.ts'
import type { Crop, Judge } from './judge.ts'

/** From the sources and from what they are built to. */
const PLACES = ['../../models/starter/judge/', '../../../models/starter/judge/']

/** A judge that gives its memory back. */
export type OpenJudge = Judge & AsyncDisposable

/**
 * The judge of edits that is shipped with the starter models; one that says so where it is not there.
 * Only evaluation may open it: it knows the new concepts.
 *
 * @param folder  default the shipped one
 */
export async function openJudge(folder = findJudge()): Promise<OpenJudge> {
  if (folder === undefined) return { ...missingJudge(), [Symbol.asyncDispose]: async () => {} }
  const card = JSON.parse(await readFile(join(folder, 'card.json'), 'utf8')) as {
    readonly ids: readonly string[]
  }
  const session = await openSession(join(folder, 'model.onnx'), { thread: 'here', threads: 1 })
  const judge = judgeFrom({
    names: card.ids,
    score: async (crops, options = {}) => {
      const area = CROP_SIDE * CROP_SIDE
      const data = new Float32Array(crops.length * area * 3)
      crops.forEach((crop, i) => data.set(planesOf(crop), i * area * 3))
      const dims = [crops.length, 3, CROP_SIDE, CROP_SIDE]
      if (crops.length === 0) return []
      const { logits } = await session.run({ pixels: { type: 'float32', dims, data } }, options)
      const rows = logits?.data as Float32Array // the model's one output
      return crops.map((_, i) => rows.slice(i * card.ids.length, (i + 1) * card.ids.length))
    },
  })
  return { ...judge, [Symbol.asyncDispose]: () => session.close() }
}

function findJudge(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((folder) =>
    existsSync(join(folder, 'model.onnx')),
  )
}

/** [64, 64, 3] bytes as [3, 64, 64] in 0..1. */
function planesOf(crop: Crop): Float32Array {
  const area = CROP_SIDE * CROP_SIDE
  const out = new Float32Array(area * 3)
  for (let i = 0; i < area; i++) {
    for (let c = 0; c < 3; c++) out[c * area + i] = (crop[i * 3 + c] as number) / 255
  }
  return out
}
