import type { Model } from './graph.ts'
import type { Storage } from './tensor.ts'

/**
 * A model as it is sent to another thread: weights that lie in files are named, not sent, and views of
 * something larger are copied out, since sending a view sends all that it looks into.
 */
export function portable(model: Model): Model {
  return plain(model) as Model
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) return alone(value)
  if (Array.isArray(value)) return value.map(plain)
  if (isFileBacked(value)) return { kind: 'file', at: value.at }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

function isFileBacked(value: object): value is Storage & { readonly kind: 'bytes' | 'file' } & {
  readonly at: NonNullable<unknown>
} {
  const { kind, at } = value as { readonly kind?: unknown; readonly at?: unknown }
  return kind === 'bytes' && typeof at === 'object'
}

function alone(view: ArrayBufferView): ArrayBufferView {
  if (view.byteLength === view.buffer.byteLength) return view
  return (view as Uint8Array).slice()
}
