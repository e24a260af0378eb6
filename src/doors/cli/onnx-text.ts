import type { Differentiated } from '../../app/index.ts'
import { table } from './style.ts'

type ModelSummary = Differentiated['summary']

/** `float32[1, 3, 224, 224]`, with question marks for what is not known. */
function typeText({ type, shape }: ModelSummary['inputs'][number]): string {
  const sizes = shape?.map((size) => size ?? '?').join(', ')
  return `${type ?? '?'}${sizes === undefined ? '' : `[${sizes}]`}`
}

/** A model in a few lines. */
export function summaryText(summary: ModelSummary): string {
  const { weights, opsets } = summary
  const opset = Object.entries(opsets).map(([domain, n]) => `${domain || 'onnx'} ${n}`)
  const rows = [
    ['name', summary.name],
    ['made by', summary.producer],
    ['version', `IR ${summary.irVersion}, opset ${opset.join(', ')}`],
    ...summary.inputs.map((one) => ['input', `${one.name}: ${typeText(one)}`]),
    ...summary.outputs.map((one) => ['output', `${one.name}: ${typeText(one)}`]),
    ['nodes', String(summary.nodes)],
    ['weights', weightsText(weights)],
    ...(weights.files.length === 0 ? [] : [['kept in', weights.files.join(', ')]]),
    ['problems', String(summary.problems.length)],
  ]
  return table(rows.filter(([, value]) => value !== ''))
}

function weightsText({ tensors, elements, bytes, byType }: ModelSummary['weights']): string {
  const types = Object.entries(byType).map(([type, size]) => `${type} ${megabytes(size)}`)
  const list = types.length > 1 ? ` (${types.join(', ')})` : ''
  return `${elements} in ${tensors} tensors, ${megabytes(bytes)}${list}`
}

function megabytes(bytes: number): string {
  return bytes < 1e5 ? `${bytes} bytes` : `${(bytes / 1e6).toFixed(1)} MB`
}
