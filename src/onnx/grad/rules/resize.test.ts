import { test } from 'node:test'
import { checkGradients } from '../check-gradient.ts'

const transforms = ['half_pixel', 'pytorch_half_pixel', 'align_corners', 'asymmetric']

for (const mode of ['nearest', 'linear', 'cubic']) {
  test(`Resize by ${mode} is differentiated by sizes and by factors`, async () => {
    await checkGradients((draw) => {
      const dims = [draw.int(1, 2), draw.int(1, 2), draw.int(2, 5), draw.int(2, 5)]
      const transform = draw.pick(transforms)
      const attributes = {
        mode,
        coordinate_transformation_mode: transform,
        ...(mode === 'nearest'
          ? {
              nearest_mode: draw.pick(['floor', 'round_prefer_floor', 'ceil', 'round_prefer_ceil']),
            }
          : {}),
      }
      return {
        wrt: { x: draw.normal(dims) },
        build: (b) => {
          if (draw.yes()) {
            const sizes = [...dims.slice(0, 2), draw.int(2, 9), draw.int(2, 9)]
            return b.op('Resize', ['x', '', '', b.ints(sizes)], attributes)
          }
          const scales = [1, 1, draw.pick([2, 3, 1.5, 0.5]), draw.pick([2, 4, 1, 1.75])]
          return b.op('Resize', ['x', '', b.constant(scales)], attributes)
        },
      }
    }, 24)
  })
}

test('whole-number nearest, as PyTorch exports it, needs no weights', async () => {
  await checkGradients(
    (draw) => ({
      wrt: { x: draw.normal([1, 2, draw.int(1, 3), draw.int(1, 3)]) },
      build: (b) =>
        b.op('Resize', ['x', '', b.constant([1, 1, 2, 3])], {
          mode: 'nearest',
          coordinate_transformation_mode: 'asymmetric',
          nearest_mode: 'floor',
        }),
    }),
    4,
  )
})
