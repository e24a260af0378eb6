import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { builder } from './builder.ts'
import type { ElementType } from './element-types.ts'
import { byteLengthOf, elementTypes } from './element-types.ts'
import { modelOf } from './graph.ts'
import { openSession } from './open-session.ts'
import type { Tensor } from './tensor.ts'
import {
  fromBfloat16,
  fromFloat16,
  tensorArray,
  tensorNumbers,
  tensorOf,
  toBfloat16,
  toFloat16,
} from './tensor.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i)
const every16 = Uint16Array.from({ length: 65536 }, (_, i) => i)

/** What the runtime makes of a constant when it casts it to float32. */
async function castByRuntime(constant: Tensor): Promise<readonly number[]> {
  const g = builder({ opset: 23 })
  const big = g.add({ ...constant, name: 'constant' })
  g.output(g.cast(big, 'float32'), 'float32')
  await using session = await openSession(modelOf(g.graph()), { thread: 'here', level: 'disabled' })
  const [result] = Object.values(await session.run({}))
  return Array.from(result?.data as Float32Array)
}

const patterns: readonly (readonly [ElementType, Uint8Array | Uint16Array, number])[] = [
  ['float16', every16, 65536],
  ['bfloat16', every16, 65536],
  ['float8e4m3fn', everyByte, 256],
  ['float8e4m3fnuz', everyByte, 256],
  ['float8e5m2', everyByte, 256],
  ['float8e5m2fnuz', everyByte, 256],
  ['uint4', everyByte, 512],
  ['int4', everyByte, 512],
  ['bool', Uint8Array.of(0, 1), 2],
]

describe('tensorNumbers', () => {
  for (const [type, data, count] of patterns) {
    test(`reads every pattern of ${type} as the runtime does`, async () => {
      const tensor = tensorOf('t', type, data, [count])
      assert.deepEqual([...tensorNumbers(tensor)], [...(await castByRuntime(tensor))])
    })
  }

  test('reads float4e2m1 as the sixteen numbers that the format has', () => {
    const tensor = tensorOf(
      't',
      'float4e2m1',
      Uint8Array.of(0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe),
      [16],
    )
    const sizes = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    assert.deepEqual([...tensorNumbers(tensor)], [...sizes, ...sizes.map((size) => -size)])
  })

  test('reads an odd number of 4-bit elements from whole bytes', () => {
    const tensor = tensorOf('t', 'int4', Uint8Array.of(0x8f, 0x07), [3])
    assert.deepEqual([...tensorNumbers(tensor)], [-1, -8, 7])
  })
})

describe('half floats', () => {
  test('survive the way to a number and back, NaN as NaN', () => {
    for (const pattern of every16) {
      const half = fromFloat16(pattern)
      if (Number.isNaN(half)) assert.ok(Number.isNaN(fromFloat16(toFloat16(half))))
      else assert.equal(toFloat16(half), pattern)
      const brain = fromBfloat16(pattern)
      if (!Number.isNaN(brain)) assert.equal(toBfloat16(brain), pattern)
    }
  })

  test('are the nearest to any number, ties to even', () => {
    const nearest = (
      value: number,
      to: (v: number) => number,
      from: (p: number) => number,
    ): void => {
      const pattern = to(value)
      const error = Math.abs(from(pattern) - value)
      for (const other of [pattern - 1, pattern + 1]) {
        const distance = Math.abs(from(other & 0xffff) - value)
        assert.ok(!(distance < error), `${value} is nearer to ${other} than to ${pattern}`)
        if (distance === error) assert.equal(pattern % 2, 0, `${value} ties to even`)
      }
    }
    fc.assert(
      fc.property(fc.double({ min: -60000, max: 60000, noNaN: true }), (value) => {
        nearest(value, toFloat16, fromFloat16)
        // bfloat16 is rounded from float32.
        nearest(Math.fround(value), toBfloat16, fromBfloat16)
      }),
      { numRuns: 2000 },
    )
    assert.equal(fromFloat16(toFloat16(1e6)), Infinity)
    assert.equal(fromFloat16(toFloat16(2049)), 2048)
    assert.equal(toFloat16(2 ** -14), 0x0400)
  })
})

describe('tensorOf', () => {
  test('takes plain numbers, bigints and the type’s own array', () => {
    assert.deepEqual([...tensorArray(tensorOf('t', 'int64', [1, -2]))], [1n, -2n])
    assert.deepEqual([...tensorArray(tensorOf('t', 'int64', [5n]))], [5n])
    assert.deepEqual([...tensorArray(tensorOf('t', 'float16', [1, -2]))], [0x3c00, 0xc000])
    const own = Float32Array.of(1, 2)
    assert.equal(tensorArray(tensorOf('t', 'float32', own)).buffer, own.buffer, 'no copy')
  })

  test('refuses dims that do not multiply to the number of elements', () => {
    assert.throws(() => tensorOf('w', 'float32', [1, 2, 3], [2, 2]), {
      code: 'E_ARGUMENT',
      message: /4 elements for dims \[2, 2\] for tensor "w" but got a list of 3/,
    })
  })
})

test('byteLengthOf rounds sub-byte types up and stays exact for large ones', () => {
  assert.equal(byteLengthOf('int4', 3), 2)
  assert.equal(byteLengthOf('float64', 2 ** 49), 2 ** 52)
  assert.equal(byteLengthOf('bool', 3), 3)
  assert.equal(new Set(Object.values(elementTypes).map(({ id }) => id)).size, 23)
})
