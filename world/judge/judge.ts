import { Unavailable } from '../../src/base/index.ts'
import type { Abortable } from '../../src/base/index.ts'
import { clipBox, cropImage, resizeBytes, roundOutward } from '../../src/image/index.ts'
import type { Box, Image } from '../../src/image/index.ts'

/** What the judge may say beside concepts: an empty ground. */
export const NOTHING = 'nothing'

/** Side of the judge's crops in pixels. */
export const CROP_SIDE = 64

/**
 * Names what crops show. No tool, agent, tuner or validation may use one: it knows the new concepts.
 * @source picture-world §8
 */
export interface Judge {
  /** Concept ids (or `nothing`) for each crop, best first; five at least. */
  rank(crops: readonly Crop[], options?: Abortable): Promise<readonly (readonly string[])[]>
}

/** [64, 64, 3] RGB. */
export type Crop = Uint8Array

/** A classifier as a function, such as an ONNX session: crops [n, 64, 64, 3] to scores [n, names]. */
export interface JudgeModel {
  readonly names: readonly string[]
  score(crops: readonly Crop[], options?: Abortable): Promise<readonly Float32Array[]>
}

/** A judge that ranks by a model's scores; ties by the order of the names. */
export function judgeFrom(model: JudgeModel): Judge {
  return {
    rank: async (crops, options) => {
      const scores = await model.score(crops, options)
      return scores.map((row) =>
        model.names
          .map((name, i) => ({ name, score: row[i] ?? -Infinity }))
          .toSorted((a, b) => b.score - a.score)
          .map(({ name }) => name),
      )
    },
  }
}

/**
 * The judge where no model has been trained yet: says so at the first crop.
 *
 * @throws Unavailable `E_JUDGE` from `rank`
 */
export function missingJudge(): Judge {
  return {
    rank: async () => {
      throw new Unavailable('E_JUDGE', 'The judge of edits has no model yet.', {
        cure: 'Train it with "npm run train:judge"; replace and remove are not judged without it.',
      })
    },
  }
}

/** The part of a picture that is judged: the box grown by 6 %, brought to 64 by 64. */
export async function judgeCrop(
  image: Image,
  [x1, y1, x2, y2]: Box,
  options: Abortable = {},
): Promise<Crop> {
  const [dx, dy] = [(x2 - x1) * 0.03, (y2 - y1) * 0.03]
  const grown = clipBox(roundOutward([x1 - dx, y1 - dy, x2 + dx, y2 + dy]), image)
  const part = cropImage(image, grown ?? [x1, y1, x2, y2])
  return resizeBytes(part.data, part, 3, { width: CROP_SIDE, height: CROP_SIDE, ...options })
}
