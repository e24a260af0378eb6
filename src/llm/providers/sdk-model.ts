import { orAbort, systemClock, UserFault } from '../../base/index.ts'
import type { Abortable, Clock } from '../../base/index.ts'
import type { LanguageModel, ModelCapabilities, ModelReply, ModelRequest } from '../model.ts'
import { encodeOnce, jpegFile } from '../picture.ts'
import type { PictureEncoder } from '../picture.ts'
import { replyOf } from '../reply.ts'
import { estimateUsage } from '../tokens.ts'
import { brokenOff, sdkFault } from './sdk-fault.ts'
import type { FaultPlace } from './sdk-fault.ts'
import { countedUsage, emptyReply, readResult, readStreamPart } from './sdk-reply.ts'
import type { SdkReply } from './sdk-reply.ts'
import { sdkRequest } from './sdk-request.ts'

/** The part of an AI SDK language model (specification v2, v3 or v4) that we rely on. */
export interface SdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: object): PromiseLike<unknown>
  doStream(options: object): PromiseLike<unknown>
}

export interface SdkModelOptions {
  /** Default `provider/modelId`, the provider up to its first dot. */
  readonly id?: string
  readonly capabilities?: ModelCapabilities
  /** Default: JPEG by the `image` room. */
  readonly encode?: PictureEncoder
  /** Under which name the provider reads its own options; default its name. */
  readonly optionsKey?: string
  readonly place?: Omit<FaultPlace, 'model' | 'clock' | 'secrets'>
  readonly secrets?: readonly string[]
  readonly clock?: Clock
}

/**
 * A model object of the AI SDK behind our own port.
 *
 * Calls it directly, so there is one try each: retries, limits and budgets are our own middleware.
 *
 * @throws UserFault `E_MODEL_OBJECT` when its specification is one that we do not speak
 */
export function fromAiSdk(model: SdkModel, options: SdkModelOptions = {}): LanguageModel {
  if (!['v2', 'v3', 'v4'].includes(model.specificationVersion)) throw unknownVersion(model)
  const clock = options.clock ?? systemClock
  const provider = model.provider.split('.')[0] ?? model.provider
  const id = options.id ?? `${provider}/${model.modelId}`
  const capabilities = options.capabilities ?? {}
  const place = { ...options.place, model: id, clock, secrets: options.secrets ?? [] }
  const settings = {
    version: model.specificationVersion,
    encode: encodeOnce(options.encode ?? jpegFile),
    optionsKey: options.optionsKey ?? provider,
    grammar: capabilities.grammar === true,
  }

  const ask = async (request: ModelRequest, { signal }: Abortable): Promise<object> => {
    signal?.throwIfAborted()
    return { ...(await sdkRequest(request, settings)), abortSignal: signal }
  }
  const finish = async (reply: SdkReply, request: ModelRequest, since: number) =>
    fullReply(reply, request, { id, ms: clock.tick() - since })

  return {
    id,
    capabilities,
    async generate(request, { signal } = {}) {
      const since = clock.tick()
      const question = await ask(request, { signal })
      try {
        const result = await orAbort(Promise.resolve(model.doGenerate(question)), signal)
        return await finish(readResult(result), request, since)
      } catch (error) {
        throw signal?.aborted === true ? signal.reason : sdkFault(error, place)
      }
    },
    async *stream(request, { signal } = {}) {
      const since = clock.tick()
      const question = await ask(request, { signal })
      const reply = emptyReply()
      try {
        const result = await orAbort(Promise.resolve(model.doStream(question)), signal)
        for await (const part of (result as { stream: AsyncIterable<SdkPart> }).stream) {
          signal?.throwIfAborted()
          if (part.type === 'error') throw part.error
          const seen = readStreamPart(reply, part)
          if (seen === undefined) continue
          if ('text' in seen) yield { type: 'text-delta', text: seen.text }
          else yield { type: 'tool-call', call: seen.call }
        }
        if (!reply.finished) throw brokenOff(place)
        yield { type: 'finish', reply: await finish(reply, request, since) }
      } catch (error) {
        throw signal?.aborted === true ? signal.reason : sdkFault(error, place)
      }
    },
  }
}

interface SdkPart {
  readonly type: string
  readonly error?: unknown
}

async function fullReply(
  reply: SdkReply,
  request: ModelRequest,
  { id, ms }: { id: string; ms: number },
): Promise<ModelReply> {
  const provider = id.slice(0, id.indexOf('/'))
  return replyOf({
    text: reply.text,
    toolCalls: reply.toolCalls,
    finish: reply.finish,
    usage: countedUsage(reply) ?? (await estimateUsage(request, reply.text)),
    model: reply.model === undefined ? id : `${provider}/${reply.model}`,
    ms,
    ...(reply.warnings.length === 0 ? {} : { warnings: reply.warnings }),
  })
}

function unknownVersion(model: SdkModel): UserFault {
  const { specificationVersion: version, provider, modelId } = model
  return new UserFault(
    'E_MODEL_OBJECT',
    `Expected an AI SDK model of specification v2, v3 or v4 but ${provider}/${modelId} has ${version}.`,
    { fields: { version, provider, model: modelId }, cure: 'Give its name instead.' },
  )
}
