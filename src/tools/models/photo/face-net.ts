import { builder, modelOf } from '../../../onnx/index.ts'
import type { Builder, Model } from '../../../onnx/index.ts'

/** A tensor of the weights file, as numbers. */
export interface FaceWeight {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

/** Weights by name, such as `conv32_1/conv1/conv/filters`. */
export type FaceWeights = (name: string) => FaceWeight

/** Side of the input. */
export const FACE_SIDE = 150

/** Mean colour that the net was trained with. */
const MEAN = [122.782, 117.001, 104.298] as const

/** The blocks in order; `_down` ones halve the plane. */
const BLOCKS = [
  'conv32_1',
  'conv32_2',
  'conv32_3',
  'conv64_down',
  'conv64_1',
  'conv64_2',
  'conv64_3',
  'conv128_down',
  'conv128_1',
  'conv128_2',
  'conv256_down',
  'conv256_1',
  'conv256_2',
  'conv256_down_out',
] as const

/** Activations on the way through the net: a value, its channels, the side of its plane. */
interface Plane {
  readonly value: string
  readonly channels: number
  readonly side: number
}

/**
 * The net that describes a face by 128 numbers, built as a graph from its weights.
 *
 * Input `face` [1, 3, 150, 150], RGB 0..255; output `descriptor` [1, 128], compared by Euclidean
 * distance. Each layer is (conv + bias) · scale + shift; scale and shift are folded into the
 * convolution.
 *
 * @source photo-starter §6; dlib's face recognition ResNet as kept by face-api
 */
export function buildFaceNet(weights: FaceWeights): Model {
  const g = builder({ opset: 17 })
  const face = g.input('face', 'float32', [1, 3, FACE_SIDE, FACE_SIDE])
  const centred = g.op('Sub', [face, g.constant([...MEAN], [1, 3, 1, 1])])
  const scaled = g.op('Div', [centred, g.scalar(255)])
  const first = conv(g, weights, 'conv32_down', { value: scaled, channels: 3, side: FACE_SIDE }, 2)
  const pooled = g.op('MaxPool', [g.op('Relu', [first.value])], {
    kernel_shape: [3, 3],
    strides: [2, 2],
  })
  let plane: Plane = { ...first, value: pooled, side: Math.floor((first.side - 3) / 2) + 1 }
  for (const block of BLOCKS) plane = residual(g, weights, block, plane)
  const mean = g.reduce('ReduceMean', plane.value, [2, 3], false)
  const { data, dims } = weights('fc')
  g.op('MatMul', [mean, g.constant(data, dims)], {}, { outputs: ['descriptor'] })
  g.output('descriptor', 'float32', [1, 128])
  return modelOf(g.graph())
}

/** ReLU(shortcut + conv2(ReLU(conv1 x))). */
function residual(g: Builder, weights: FaceWeights, block: string, x: Plane): Plane {
  const down = block.includes('_down')
  const one = conv(g, weights, `${block}/conv1`, x, down ? 2 : 1)
  const two = conv(g, weights, `${block}/conv2`, { ...one, value: g.op('Relu', [one.value]) }, 1)
  if (!down) return { ...two, value: g.op('Relu', [g.op('Add', [x.value, two.value])]) }
  const pooled: Plane = {
    ...x,
    value: g.op('AveragePool', [x.value], { kernel_shape: [2, 2], strides: [2, 2] }),
    side: Math.floor((x.side - 2) / 2) + 1,
  }
  const side = Math.max(pooled.side, two.side)
  const sum = g.op('Add', [
    padded(g, pooled, two.channels, side),
    padded(g, two, two.channels, side),
  ])
  return { value: g.op('Relu', [sum]), channels: two.channels, side }
}

/** Zeros at the end of the planes and behind the channels. */
function padded(g: Builder, x: Plane, channels: number, side: number): string {
  const [more, wider] = [channels - x.channels, side - x.side]
  return more === 0 && wider === 0 ? x.value : g.pad(x.value, [0, 0, 0, 0, 0, more, wider, wider])
}

/** Stride 2 is without padding, stride 1 keeps the size. */
function conv(g: Builder, weights: FaceWeights, name: string, x: Plane, stride: 1 | 2): Plane {
  const filters = weights(`${name}/conv/filters`)
  const [kernel = 3, , inside = 1, outside = 1] = filters.dims
  const scale = weights(`${name}/scale/weights`).data
  const shift = weights(`${name}/scale/biases`).data
  const bias = weights(`${name}/conv/bias`).data
  const folded = new Float32Array(filters.data.length)
  // [height, width, in, out] to [out, in, height, width], each times the scale of its output.
  for (let p = 0; p < kernel * kernel; p++) {
    for (let i = 0; i < inside; i++) {
      for (let o = 0; o < outside; o++) {
        folded[(o * inside + i) * kernel * kernel + p] =
          (filters.data[(p * inside + i) * outside + o] ?? 0) * (scale[o] ?? 0)
      }
    }
  }
  const offset = Float32Array.from(bias, (b, o) => b * (scale[o] ?? 0) + (shift[o] ?? 0))
  const pad = stride === 1 ? (kernel - 1) / 2 : 0
  const value = g.op(
    'Conv',
    [x.value, g.constant(folded, [outside, inside, kernel, kernel]), g.constant(offset, [outside])],
    { strides: [stride, stride], pads: [pad, pad, pad, pad], kernel_shape: [kernel, kernel] },
  )
  return { value, channels: outside, side: Math.floor((x.side + 2 * pad - kernel) / stride) + 1 }
}
