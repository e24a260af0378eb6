import { join } from 'node:path'
import { seededRandom } from '../../base/index.ts'
import { readModel } from '../../onnx/index.ts'
import type { LearnableAnswerer } from '../../tools/index.ts'
import { floats, longs } from './fits-model.ts'

const FILE = join(import.meta.dirname, '../../../test/fixtures/onnx/blip-answer.onnx')
/** Words of the tests by id; random weights do not let every id be said. */
const WORDS: Readonly<Record<string, number>> = { red: 23, blue: 41, two: 5 }

/** An answer decoder of one layer with random weights, for tests: 48 ids, states of 5 × 16. */
export function tinyAnswerer(): LearnableAnswerer {
  const model = readModel(FILE)
  return {
    ...{ kind: 'answerer', name: 'tiny/answerer', tools: ['VQA'], hash: 'tiny', logits: 'logits' },
    ...{ start: 1, end: 2, length: 5 },
    injection: { kind: 'states', count: 16 },
    model: async () => model,
    encode: async (image, question) => {
      const random = seededRandom(`${image.hash}/${question}`)
      const draw = (count: number): number[] => Array.from({ length: count }, () => random.normal())
      return {
        feeds: {
          encoder_hidden_states: floats([1, 5, 16], draw(80)),
          encoder_attention_mask: longs([1, 5], [1, 1, 1, 1, 1]),
        },
        feature: Float32Array.from(draw(8)),
      }
    },
    said: (ids) => ({
      input_ids: longs([1, ids.length], ids),
      attention_mask: longs(
        [1, ids.length],
        ids.map(() => 1),
      ),
    }),
    ids: (answer) => [WORDS[answer] ?? 0],
    words: (ids) =>
      ids.map((id) => Object.entries(WORDS).find(([, one]) => one === id)?.[0] ?? '?').join(' '),
  }
}
