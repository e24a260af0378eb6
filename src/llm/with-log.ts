import type { Log } from '../base/index.ts'
import { requestPictures } from './messages.ts'
import type { LanguageModel, ModelReply, ModelRequest } from './model.ts'

/**
 * A model that notes each request and reply: sizes, tokens, time, never texts or pictures.
 *
 * A failure is thrown on, not noted: whoever handles it tells it.
 */
export function withLog(model: LanguageModel, log: Log): LanguageModel {
  const asked = (request: ModelRequest): void =>
    log.debug('model asked', {
      model: model.id,
      messages: request.messages.length,
      pictures: requestPictures(request).map(({ hash, width, height }) => ({
        hash,
        width,
        height,
      })),
    })
  const replied = ({ model: name, usage, finish, ms, cached }: ModelReply): void =>
    log.debug('model replied', { model: name, ...usage, finish, ms: Math.round(ms), cached })
  return {
    id: model.id,
    capabilities: model.capabilities,
    async generate(request, options) {
      asked(request)
      const reply = await model.generate(request, options)
      replied(reply)
      return reply
    },
    async *stream(request, options) {
      asked(request)
      for await (const part of model.stream(request, options)) {
        if (part.type === 'finish') replied(part.reply)
        yield part
      }
    },
  }
}
