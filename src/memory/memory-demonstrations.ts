import { deepFreeze } from '../base/index.ts'
import type { Demonstration, DemonstrationPool } from './demonstration.ts'

/** A pool D in memory, begun with some demonstrations. */
export function memoryDemonstrations(start: Iterable<Demonstration> = []): DemonstrationPool {
  const byId = new Map<string, Demonstration>()
  // Equal right ones are merged (clova §7): content to id.
  const rightOnes = new Map<string, string>()
  let version = 0
  const put = (demonstration: Demonstration): void => {
    const content = contentOf(demonstration)
    const equal = rightOnes.get(content)
    if (demonstration.verdict === 'right' && equal !== undefined && equal !== demonstration.id)
      return
    const old = byId.get(demonstration.id)
    if (old !== undefined) rightOnes.delete(contentOf(old))
    byId.set(demonstration.id, deepFreeze({ ...demonstration }))
    if (demonstration.verdict === 'right') rightOnes.set(content, demonstration.id)
    version++
  }
  for (const demonstration of start) put(demonstration)
  return {
    list: async (family) =>
      [...byId.values()]
        .filter((one) => one.family === family)
        .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    put: async (demonstration) => put(demonstration),
    remove: async (id) => {
      const old = byId.get(id)
      if (old === undefined) return
      byId.delete(id)
      if (rightOnes.get(contentOf(old)) === id) rightOnes.delete(contentOf(old))
      version++
    },
    get: async (id) => byId.get(id),
    version: async () => version,
  }
}

function contentOf({ family, instruction, plan, program }: Demonstration): string {
  return JSON.stringify([family, instruction.trim().toLowerCase(), plan ?? '', program ?? ''])
}
