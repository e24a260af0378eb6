import { Unavailable } from '../base/index.ts'
import type { Abortable, Clock } from '../base/index.ts'
import type { LanguageModel } from './model.ts'

export interface RetryPolicy {
  readonly clock: Clock
  /** Tries after the first; default 2. */
  readonly retries?: number
  /** Milliseconds before the second try, doubled for each further one; default 1,000. */
  readonly pause?: number
  /** The longest wait that is worth it; a server that asks for more is told at once. Default 60,000. */
  readonly longest?: number
}

/**
 * A model that is asked again when it does not answer, waiting as long as the server says.
 *
 * Only for Unavailable, and not where `fields.retry` is false. A stream is asked again only as long
 * as nothing of it was seen.
 *
 * @source clova §2 (at most two retries with pause)
 */
export function withRetry(model: LanguageModel, policy: RetryPolicy): LanguageModel {
  return {
    id: model.id,
    capabilities: model.capabilities,
    async generate(request, options = {}) {
      for (let failures = 0; ;) {
        try {
          return await model.generate(request, options)
        } catch (error) {
          await waitOrThrow(error, failures++, policy, options)
        }
      }
    },
    async *stream(request, options = {}) {
      for (let failures = 0; ;) {
        let seen = false
        try {
          for await (const part of model.stream(request, options)) {
            seen = true
            yield part
          }
          return
        } catch (error) {
          if (seen) throw error
          await waitOrThrow(error, failures++, policy, options)
        }
      }
    },
  }
}

async function waitOrThrow(
  error: unknown,
  failures: number,
  policy: RetryPolicy,
  { signal }: Abortable,
): Promise<void> {
  const { clock, retries = 2, pause = 1000, longest = 60_000 } = policy
  if (signal?.aborted === true || failures >= retries || !isWorthRetry(error)) throw error
  const wait = Math.max(pause * 2 ** failures, error.retryAfter ?? 0)
  if (wait > longest) throw error
  await clock.sleep(wait, signal)
}

function isWorthRetry(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.fields.retry !== false
}
