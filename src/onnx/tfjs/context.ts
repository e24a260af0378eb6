import { UserFault } from '../../base/index.ts'
import type { AttributeShorthand } from '../attribute.ts'
import type { Builder } from '../builder.ts'
import type { TfNode } from './graph-file.ts'
import type { TfConstant } from './weights.ts'

/** What a rule has at hand: its node, the values it reads, and a builder to write with. */
export interface Context {
  readonly model: string
  readonly node: TfNode
  readonly g: Builder
  /** The value of input `i`. */
  input(i: number): string
  /** The values of all inputs. */
  inputs(): string[]
  /** The constant that is input `i`. */
  constant(i: number): TfConstant
  /** The same, when it is one. */
  maybeConstant(i: number): TfConstant | undefined
}

/** Writes a TensorFlow node in ONNX; gives its outputs in order. */
export type Rule = (context: Context) => readonly string[]

/** One ONNX node that bears the TensorFlow node's name. */
export function emit(
  { g, node }: Context,
  op: string,
  inputs: readonly string[],
  attributes?: Readonly<Record<string, AttributeShorthand | undefined>>,
): string {
  return g.op(op, inputs, attributes, { name: node.name })
}

/** The whole numbers of constant input `i`. */
export function constantInts(context: Context, i: number): number[] {
  return Array.from(context.constant(i).values, Number)
}

export function boolOf({ node }: Context, name: string): boolean {
  return node.attr[name]?.b ?? false
}

export function intOf({ node }: Context, name: string, fallback: number): number {
  return Number(node.attr[name]?.i ?? fallback)
}

export function intsOf({ node }: Context, name: string): number[] {
  return (node.attr[name]?.list?.i ?? []).map(Number)
}

export function textOf({ node }: Context, name: string, fallback: string): string {
  const text = node.attr[name]?.s
  return text === undefined ? fallback : fromBase64(text)
}

export function textsOf({ node }: Context, name: string): string[] {
  return (node.attr[name]?.list?.s ?? []).map(fromBase64)
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

/** The fault that a rule throws for what it does not handle. */
export function unsupported(
  { node, model }: Pick<Context, 'node' | 'model'>,
  what: string,
): UserFault {
  return new UserFault(
    'E_TFJS_UNSUPPORTED',
    `The model "${model}" cannot be converted: ${node.op} "${node.name}" ${what}.`,
    {
      fields: { model, op: node.op, node: node.name, what },
      cure: 'Take a model whose operators are in the converter’s table.',
    },
  )
}
