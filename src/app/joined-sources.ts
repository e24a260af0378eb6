import type { FoundEntry, SourceOutput, SourceProvider } from '../tools/index.ts'

/**
 * Several sources of one tool, asked together, so that one that knows nothing hides none of the others.
 *
 * Entries come in turn, one of each source, and say in `source` whose they are; sources that failed are named
 * in `failedEngines`.
 *
 * @returns the source itself when there is one; none when there is none
 * @throws what the first one threw, when all failed
 */
export function joinedSources(sources: readonly SourceProvider[]): readonly SourceProvider[] {
  const [first] = sources
  if (first === undefined || sources.length === 1) return sources
  const sends = (['image', 'text'] as const).find((what) =>
    sources.some((one) => one.sends === what),
  )
  const joined: SourceProvider = {
    id: sources.map(({ id }) => id).join('+'),
    version: sources.map(({ version }) => version).join('+'),
    tool: first.tool,
    needsNetwork: sources.some((one) => one.needsNetwork),
    needsKey: sources.some((one) => one.needsKey),
    needsPublicUrl: false,
    sends: sends ?? 'none',
    price: sources.reduce<number | null>(
      (sum, { price }) => (sum === null || price === null ? null : sum + price),
      0,
    ),
    licence: '',
    mayStore: sources.every((one) => one.mayStore),
    timeoutMs: Math.max(...sources.map((one) => one.timeoutMs)),
    probe: async () => {
      const told = await Promise.all(sources.map((one) => one.probe()))
      return told.includes(null) ? null : told.join(' ')
    },
    call: async (args, options) => {
      const told = await Promise.allSettled(sources.map((one) => one.call(args, options)))
      options.signal?.throwIfAborted()
      const came = told.flatMap((one, i) =>
        one.status === 'fulfilled' ? [entriesOf(one.value, sources[i]?.id ?? '')] : [],
      )
      const failed = told.flatMap((one, i) =>
        one.status === 'rejected' ? [{ id: sources[i]?.id ?? '', error: one.reason as Error }] : [],
      )
      if (came.length === 0) throw failed[0]?.error ?? new TypeError('no source was asked')
      const failedEngines = failed.map(({ id, error }) => `${id}: ${error.message}`)
      return { entries: inTurn(came), ...(failed.length === 0 ? {} : { failedEngines }) }
    },
  }
  return [joined]
}

function entriesOf({ entries = [], licence }: SourceOutput, source: string): readonly FoundEntry[] {
  return entries.map((one) => ({ ...(licence === undefined ? {} : { licence }), ...one, source }))
}

function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, i) =>
    lists.flatMap((list) => list.slice(i, i + 1)),
  ).flat()
}
