import { test } from 'node:test'
import type { Draw, GradientCase } from '../check-gradient.ts'
import { checkGradients } from '../check-gradient.ts'

test('LayerNormalization is differentiated by input, scale and bias over any last axes', async () => {
  await checkGradients((draw) => {
    const dims = [...draw.dims(2), draw.int(2, 5)]
    const axis = draw.int(-3, -1)
    const own = dims.slice(axis)
    const bias = draw.yes()
    return {
      wrt: { x: draw.normal(dims), s: draw.normal(own), ...(bias ? { b: draw.normal(own) } : {}) },
      build: (b) =>
        b.op('LayerNormalization', bias ? ['x', 's', 'b'] : ['x', 's'], { axis, epsilon: 1e-3 }),
    }
  })
})

for (const op of ['RMSNormalization', 'SimplifiedLayerNormalization']) {
  test(`${op} is differentiated by input and scale`, async () => {
    await checkGradients((draw) => {
      const dims = [...draw.dims(2), draw.int(2, 5)]
      return {
        wrt: { x: draw.normal(dims, 0.1), s: draw.normal(dims.slice(-1)) },
        build: (b) => b.op(op, ['x', 's'], { axis: -1, epsilon: 1e-3 }),
        opset: op === 'RMSNormalization' ? 23 : 17,
      }
    })
  })
}

function channelled(draw: Draw, channels: number): GradientCase['wrt'] {
  const dims = [draw.int(1, 2), channels, ...draw.dims(draw.int(1, 2), 3), 3]
  return { x: draw.normal(dims), s: draw.normal([channels]), b: draw.normal([channels]) }
}

test('InstanceNormalization is differentiated by input, scale and bias', async () => {
  await checkGradients((draw) => ({
    wrt: channelled(draw, draw.int(1, 3)),
    build: (b) => b.op('InstanceNormalization', ['x', 's', 'b'], { epsilon: 1e-3 }),
  }))
})

test('GroupNormalization is differentiated with scales per channel and, before opset 21, per group', async () => {
  await checkGradients((draw) => {
    const [groups, opset] = [draw.int(1, 3), draw.pick([18, 21])]
    const dims = [draw.int(1, 2), groups * draw.int(1, 3), 2, 3]
    const own = [opset === 21 ? (dims[1] ?? 1) : groups]
    return {
      wrt: { x: draw.normal(dims), s: draw.normal(own), b: draw.normal(own) },
      build: (b) =>
        b.op('GroupNormalization', ['x', 's', 'b'], { num_groups: groups, epsilon: 1e-3 }),
      opset,
    }
  })
})

test('BatchNormalization is differentiated at inference', async () => {
  await checkGradients((draw) => {
    const channels = draw.int(1, 3)
    return {
      wrt: channelled(draw, channels),
      build: (b) => {
        const mean = b.constant([...draw.normal([channels]).data], [channels])
        const variance = b.constant([...draw.uniform([channels], 0.5, 2).data], [channels])
        return b.op('BatchNormalization', ['x', 's', 'b', mean, variance], { epsilon: 1e-3 })
      },
    }
  })
})

test('BatchNormalization in training form is differentiated through its own statistics', async () => {
  await checkGradients((draw) => {
    const channels = draw.int(1, 3)
    return {
      wrt: channelled(draw, channels),
      build: (b) => {
        const state = [0, 1].map((v) => b.constant(new Array<number>(channels).fill(v), [channels]))
        const [y = ''] = b.ops('BatchNormalization', ['x', 's', 'b', ...state], 3, {
          training_mode: 1,
          epsilon: 1e-3,
        })
        return y
      },
    }
  })
})

test('LpNormalization is differentiated for p = 2', async () => {
  await checkGradients((draw) => ({
    wrt: { x: draw.normal(draw.dims(3), 0.2) },
    build: (b) => b.op('LpNormalization', ['x'], { axis: draw.int(-1, 2) }),
  }))
})
