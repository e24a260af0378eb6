import { Unavailable } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import type { LanguageModel, ReplyPart } from './model.ts'
import { within } from './within.ts'

/**
 * A model that gives up waiting.
 *
 * @param options.ms  milliseconds for a whole reply, or from part to part of a stream; default 120,000
 * @throws Unavailable `T_LLM` with `fields.reason: 'timeout'`; it may be tried again
 * @source clova §2 (LLM settings)
 */
export function withTimeout(
  model: LanguageModel,
  options: { readonly ms?: number; readonly clock: Clock },
): LanguageModel {
  const { ms = 120_000, clock } = options
  const late = (): Unavailable =>
    new Unavailable('T_LLM', `${model.id} did not answer within ${ms / 1000} seconds.`, {
      fields: { model: model.id, reason: 'timeout', retry: true },
      cure: 'Try again, use a smaller model, or raise the time-out.',
    })
  return {
    id: model.id,
    capabilities: model.capabilities,
    generate: (request, { signal } = {}) =>
      within(ms, (signal) => model.generate(request, { signal }), { clock, late, signal }),
    async *stream(request, { signal } = {}) {
      const stop = new AbortController()
      const either = AbortSignal.any(signal === undefined ? [stop.signal] : [stop.signal, signal])
      const parts = model.stream(request, { signal: either })[Symbol.asyncIterator]()
      const next = (): Promise<IteratorResult<ReplyPart>> =>
        within(ms, () => parts.next(), { clock, late, signal })
      let finished = false
      try {
        for (let part = await next(); part.done !== true; part = await next()) yield part.value
        finished = true
      } finally {
        if (!finished) stop.abort()
      }
    },
  }
}
