import type { RunRequest } from './pupil.ts'
import type { Parts } from './parts.ts'

/**
 * The family of a task that names none: two pictures are compared, a program is run as it is, and an
 * instruction belongs where the four demonstrations nearest to it are nearest: one stray likeness decides nothing.
 */
export async function chooseFamily(request: RunRequest, parts: Parts): Promise<string> {
  if (request.program !== undefined) return 'open'
  if (request.pictures.length === 2) return 'nlvr'
  const { createRetriever } = await import('../memory/index.ts')
  const retriever = createRetriever({ pool: await parts.pool() })
  const found = await Promise.all(
    ['gqa', 'imgedit', 'tagging'].map(async (family) => {
      const query = {
        family,
        instruction: request.instruction,
        kind: 'program',
        verdict: 'right',
      } as const
      const nearest = await retriever.nearest({ ...query, k: 4 })
      return { family, similarity: nearest.reduce((sum, one) => sum + one.similarity, 0) }
    }),
  )
  const [best] = found.sort((a, b) => b.similarity - a.similarity)
  return best === undefined || best.similarity === 0 ? 'gqa' : best.family
}
