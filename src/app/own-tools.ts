import type { Signature } from '../program/index.ts'
import type { Tool } from '../tools/index.ts'

/** The signatures of the standard tools and of own ones, an own one in place of its namesake. */
export async function signaturesWith(tools: readonly Tool[]): Promise<readonly Signature[]> {
  const { SIGNATURES } = await import('../tools/index.ts')
  if (tools.length === 0) return SIGNATURES
  const own = tools.map((tool) => tool.signature)
  const names = new Set(own.map(({ name }) => name))
  return [...SIGNATURES.filter(({ name }) => !names.has(name)), ...own]
}
