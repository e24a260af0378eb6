import { systemClock } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import type { LanguageModel, ModelReply, ModelRequest, ReplyPart } from './model.ts'
import { replay } from './reply.ts'
import type { ReplyCache } from './reply-cache.ts'
import { replyKey } from './reply-cache.ts'

/**
 * A model that is asked once for each request; the same request gets the same reply.
 *
 * A reply from the cache has `cached: true`, costs nothing, and keeps the tokens that it took when it
 * was made. Replies stopped by a content filter, or for an unknown reason, are not kept.
 */
export function withCache(
  model: LanguageModel,
  cache: ReplyCache,
  options: { readonly clock?: Clock } = {},
): LanguageModel {
  const clock = options.clock ?? systemClock

  const known = async (key: string): Promise<ModelReply | undefined> => {
    const since = clock.tick()
    const reply = await cache.get(key)
    if (reply === undefined) return undefined
    const usage = reply.usage.cost === undefined ? reply.usage : { ...reply.usage, cost: 0 }
    return Object.freeze({ ...reply, usage, cached: true, ms: clock.tick() - since })
  }
  const keep = async (key: string, reply: ModelReply): Promise<void> => {
    if (['stop', 'length', 'tool-calls'].includes(reply.finish)) await cache.set(key, reply)
  }
  async function* asked(request: ModelRequest, key: string, signal: AbortSignal | undefined) {
    for await (const part of model.stream(request, { signal })) {
      if (part.type === 'finish') await keep(key, part.reply)
      yield part
    }
  }

  return {
    id: model.id,
    capabilities: model.capabilities,
    async generate(request, { signal } = {}) {
      signal?.throwIfAborted()
      const key = replyKey(model.id, request)
      const reply = await known(key)
      if (reply !== undefined) return reply
      const fresh = await model.generate(request, { signal })
      await keep(key, fresh)
      return fresh
    },
    async *stream(request, { signal } = {}): AsyncGenerator<ReplyPart> {
      signal?.throwIfAborted()
      const key = replyKey(model.id, request)
      const reply = await known(key)
      yield* reply === undefined ? asked(request, key, signal) : replay(reply)
    },
  }
}
