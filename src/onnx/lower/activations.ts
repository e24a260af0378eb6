import { floatAttribute, intAttribute } from '../attribute.ts'
import type { LowerContext, Lowering } from './lower.ts'

/** x/2·(1 + erf(x/√2)); at opset 20 the operator of ONNX says the same, but its rule is no shorter. */
function exactGelu({ b }: LowerContext, x: string): string {
  const erf = b.op('Erf', [b.op('Mul', [x, b.scalar(Math.SQRT1_2)])])
  return b.op('Mul', [b.op('Mul', [x, b.scalar(0.5)]), b.op('Add', [erf, b.scalar(1)])])
}

/** x/2·(1 + tanh √(2/π)(x + 0.044715x³)). */
function tanhGelu({ b }: LowerContext, x: string): string {
  const cube = b.op('Mul', [b.op('Mul', [x, x]), x])
  const inner = b.op('Add', [x, b.op('Mul', [cube, b.scalar(0.044715)])])
  const tanh = b.op('Tanh', [b.op('Mul', [inner, b.scalar(Math.sqrt(2 / Math.PI))])])
  return b.op('Mul', [b.op('Mul', [x, b.scalar(0.5)]), b.op('Add', [tanh, b.scalar(1)])])
}

const biased = ({ b, has }: LowerContext, x: string, bias: string | undefined): string =>
  has(bias) ? b.op('Add', [x, bias]) : x

const fusedMatMul: Lowering = (node, { b }) => {
  const [left = '', right = ''] = node.inputs
  const turned = (x: string, flag: string): string => {
    if (intAttribute(node, flag, 0) === 0) return x
    // Only the last two axes are exchanged, of operands whose rank is not known here: by Einsum.
    return b.op('Einsum', [x], { equation: '...ij->...ji' })
  }
  if (intAttribute(node, 'transBatchA', 0) === 1 || intAttribute(node, 'transBatchB', 0) === 1)
    return []
  const product = b.op('MatMul', [turned(left, 'transA'), turned(right, 'transB')])
  const alpha = floatAttribute(node, 'alpha', 1)
  return [alpha === 1 ? product : b.op('Mul', [product, b.scalar(alpha)])]
}

/** Activations that the runtime fused, and its product with transposed operands. */
export const activationLowerings: Readonly<Record<string, Lowering>> = {
  'com.microsoft.Gelu': (node, context) => [exactGelu(context, node.inputs[0] ?? '')],
  'com.microsoft.BiasGelu': (node, context) => [
    exactGelu(context, biased(context, node.inputs[0] ?? '', node.inputs[1])),
  ],
  'com.microsoft.FastGelu': (node, context) => [
    tanhGelu(context, biased(context, node.inputs[0] ?? '', node.inputs[1])),
  ],
  'com.microsoft.QuickGelu': (node, { b }) => {
    const x = node.inputs[0] ?? ''
    const alpha = floatAttribute(node, 'alpha', 1.702)
    return [b.op('Mul', [x, b.op('Sigmoid', [b.op('Mul', [x, b.scalar(alpha)])])])]
  },
  'com.microsoft.FusedMatMul': fusedMatMul,
  Celu: (node, { b }) => {
    const x = node.inputs[0] ?? ''
    const alpha = floatAttribute(node, 'alpha', 1)
    const scaled = b.op('Elu', [b.op('Div', [x, b.scalar(alpha)])], { alpha: 1 })
    return [b.op('Mul', [scaled, b.scalar(alpha)])]
  },
  ThresholdedRelu: (node, { b }) => {
    const x = node.inputs[0] ?? ''
    const above = b.op('Greater', [x, b.scalar(floatAttribute(node, 'alpha', 1))])
    return [b.op('Where', [above, x, b.scalar(0)])]
  },
  Swish: (node, { b }) => {
    const x = node.inputs[0] ?? ''
    const alpha = floatAttribute(node, 'alpha', 1)
    return [b.op('Mul', [x, b.op('Sigmoid', [b.op('Mul', [x, b.scalar(alpha)])])])]
  },
}
