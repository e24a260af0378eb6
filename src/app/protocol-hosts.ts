import type { Abortable, Log, Progress } from '../base/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import type { ProtocolHosts } from './protocol-desk.ts'

export type { ProtocolHosts }

/** As `openProtocolHosts` of protocol-desk; agents and tools are loaded when it is called. */
export async function openProtocolHosts(
  config: Config,
  options: { readonly env?: Environment; readonly progress?: Progress } = {},
): Promise<ProtocolHosts> {
  return (await import('./protocol-desk.ts')).openProtocolHosts(config, options)
}

/** As `registerElsewhere` of protocol-desk. */
export async function registerElsewhere(
  workers: readonly { readonly address: string; readonly name: string }[],
  options: Abortable & { readonly controller: string; readonly log?: Log },
): Promise<void> {
  return (await import('./protocol-desk.ts')).registerElsewhere(workers, options)
}
