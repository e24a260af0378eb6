import type { SourceProvider } from '../../tools/index.ts'
import type { ProviderDesk } from './execute.ts'
import type { Ledger } from './ledger.ts'
import type { Permission, SeekOptions } from './options.ts'
import type { SeekTool } from './types.ts'

export interface DeskParts {
  readonly providers: readonly SourceProvider[]
  readonly permissions: Readonly<Record<string, Permission>>
  /** Whether someone is there to be asked. */
  readonly canAsk: boolean
  readonly options: SeekOptions
  readonly ledger: Ledger
}

type Why = 'no-provider' | 'consent' | 'budget' | 'breaker'

/** The providers of one run: what may not be used, and what failed in this run, is off. */
export function createProviderDesk(parts: DeskParts): ProviderDesk {
  const { providers, options } = parts
  const off = new Map<string, Why>()
  const timeouts = new Map<string, number>()
  const whyOff = (provider: SourceProvider): Why | undefined => {
    const known = off.get(provider.id)
    if (known !== undefined) return known
    if (options.offline === true && provider.needsNetwork) return 'no-provider'
    if (permissionOf(provider, parts) === 'never') return 'consent'
    if (provider.price === null && options.allowUnknownPrice !== true) return 'no-provider'
    const breaks = parts.ledger.breaks({ usd: provider.price ?? 0 })
    return breaks === 'maxCostUsd' ? 'budget' : undefined
  }
  const of = (tool: SeekTool): readonly SourceProvider[] =>
    options.without?.includes(tool) === true ? [] : providers.filter((one) => one.tool === tool)
  return {
    usable: (tool) => of(tool).filter((one) => whyOff(one) === undefined),
    whyNot: (tool) => {
      const reasons = of(tool).map(whyOff)
      if (reasons.includes(undefined)) return undefined
      return reasons.find((why) => why !== 'no-provider') ?? 'no-provider'
    },
    turnOff: (provider, why) => void off.set(provider, why),
    timedOut: (provider) => {
      const times = (timeouts.get(provider) ?? 0) + 1
      timeouts.set(provider, times)
      if (times >= 2) off.set(provider, 'breaker')
    },
    failed: new Map(),
  }
}

/** What a provider may be sent: local ones anything, remote ones what the user said. */
export function permissionOf(
  provider: SourceProvider,
  { permissions, canAsk }: Pick<DeskParts, 'permissions' | 'canAsk'>,
): Permission {
  if (provider.sends === 'none') return 'always'
  const given = permissions[provider.id] ?? 'never'
  // Nobody there to be asked: no.
  return given === 'ask' && !canAsk ? 'never' : given
}
