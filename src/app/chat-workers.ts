import { workerChat } from '../agents/index.ts'
import type { ChatModel } from '../agents/index.ts'
import { isFault } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import { controllerClient, remoteTools } from '../tools/index.ts'
import type { RemoteTools } from '../tools/index.ts'
import type { WorkersConfig } from './config.ts'

/** What chats use of the configured workers. */
export interface ChatWorkers {
  /** Skills elsewhere; none without an address or a controller. */
  readonly remote?: RemoteTools
  readonly prefer: readonly string[]
  /** The model worker that answers. */
  readonly model?: ChatModel
}

/**
 * Workers of the configuration, called when they are needed.
 *
 * A controller that does not answer takes only its own skills away: they are listed as unavailable, and what runs
 * here goes on.
 */
export function chatWorkers(config: WorkersConfig, clock: Clock): ChatWorkers {
  const { controller: url, addresses = {}, prefer = [], chat } = config
  const controller = url === undefined ? undefined : controllerClient(url)
  const fixed = Object.keys(addresses)
  const some = controller !== undefined || fixed.length > 0
  const all = some
    ? remoteTools({ addresses, clock, ...(controller === undefined ? {} : { controller }) })
    : undefined
  const worker = chat === undefined ? undefined : (addresses[chat] ?? controller)
  return {
    prefer,
    ...(all === undefined ? {} : { remote: { ...all, names: namesOf(all, fixed) } }),
    ...(chat === undefined || worker === undefined
      ? {}
      : { model: workerChat({ model: chat, worker, clock }) }),
  }
}

function namesOf(all: RemoteTools, fixed: readonly string[]): RemoteTools['names'] {
  return async (options) => {
    try {
      return await all.names(options)
    } catch (error) {
      if (isFault(error) && error.kind === 'Unavailable') return fixed
      throw error
    }
  }
}
