import { Unavailable } from '../../../base/index.ts'
import { readFrames } from './frames.ts'
import { badStatus, post } from './post.ts'
import type { PostOptions } from './post.ts'
import { asFloat, dict } from './python-value.ts'
import { ERROR_CODES, OVER_BUDGET, SERVER_ERROR } from './strings.ts'

/** What a model worker is asked. */
export interface WorkerRequest {
  readonly model: string
  readonly prompt: string
  readonly temperature: number
  /** Left out in the second generation of a tool turn, as the reference does. */
  readonly topP?: number
  readonly maxNewTokens: number
  readonly stop: string
  /** Base64 of PNG or JPEG; as many as `<image>` in the prompt. */
  readonly images: readonly string[]
}

export interface WorkerOptions extends PostOptions {
  /** Milliseconds of silence after which the worker is given up; default 60 s. */
  readonly silenceMs?: number
}

/**
 * The text of a model worker as it grows, without the prompt; each part replaces the one before.
 *
 * Ends at the first non-zero code, so the double frame of the reference's proxy is one failure.
 *
 * @throws Unavailable `T_LLM` with the causes that can be named; `E_CHAT_TOO_LONG` for a conversation
 *   that no longer fits the model; the signal's reason
 * @source llava-plus §5.3, §6
 */
export async function* askModelWorker(
  address: string,
  request: WorkerRequest,
  options: WorkerOptions = {},
): AsyncGenerator<string> {
  const { silenceMs = 60_000, signal } = options
  const stop = new AbortController()
  const both = signal == null ? stop.signal : AbortSignal.any([signal, stop.signal])
  let timer = setTimeout(() => stop.abort(), silenceMs)
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => stop.abort(), silenceMs)
  }
  try {
    const url = `${address}/worker_generate_stream`
    const response = await post(url, bodyOf(request), { ...options, signal: both })
    if (!response.ok) throw badStatus(url, response.status, await response.text())
    if (response.body === null) throw failure(request, address, 'the reply had no body')
    let last = ''
    for await (const text of texts(request, address, response.body, heard)) {
      if (text !== last) yield text
      last = text
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (stop.signal.aborted) {
      throw failure(request, address, `it was silent for ${silenceMs / 1000} s`)
    }
    throw error
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

async function* texts(
  request: WorkerRequest,
  address: string,
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<string> {
  let frames = 0
  for await (const read of readFrames(heardBytes(body, heard))) {
    frames++
    if (read.outcome === 'broken') {
      throw failure(request, address, `it sent something that is no frame: ${clip(read.text)}`)
    }
    const { text, code, reason } = read.frame
    if (code !== 0) throw failure(request, address, reason ?? ERROR_CODES[code], code)
    const said = text.startsWith(request.prompt) ? text.slice(request.prompt.length) : text
    if (said.trim() === OVER_BUDGET) throw tooLong()
    if (said.includes(SERVER_ERROR)) throw failure(request, address, undefined, 1)
    yield said
  }
  if (frames === 0) throw failure(request, address, 'it closed the stream without a word')
}

async function* heardBytes(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    heard()
    yield chunk
  }
}

function bodyOf(request: WorkerRequest): ReturnType<typeof dict> {
  const { model, prompt, temperature, topP, maxNewTokens, stop, images } = request
  return dict({
    model,
    prompt,
    temperature: asFloat(temperature),
    ...(topP === undefined ? {} : { top_p: asFloat(topP) }),
    max_new_tokens: maxNewTokens,
    stop,
    ...(images.length === 0 ? {} : { images }),
  })
}

/** A code without a reason says nothing: name what we can check ourselves (llava-plus §6, row 7). */
function failure(request: WorkerRequest, address: string, reason?: string, code = 1): Unavailable {
  const causes = likelyCauses(request)
  const why = reason ?? 'it gave no reason'
  const likely = causes.length === 0 ? '' : ` Likely: ${causes.join('; ')}.`
  return new Unavailable('T_LLM', `The model worker at ${address} failed: ${why}.${likely}`, {
    fields: { address, model: request.model, error_code: code, causes },
    cure: 'Look into the log of that worker, or choose another model.',
  })
}

/** What in a request makes a worker of the reference fail or ignore the picture. */
export function likelyCauses(request: WorkerRequest): readonly string[] {
  const tags = request.prompt.split('<image>').length - 1
  const { images, stop, model } = request
  return [
    ...(stop === '' ? ['no stop text was sent'] : []),
    ...(tags === images.length
      ? []
      : [`the prompt has ${tags} <image> but ${images.length} pictures were sent`]),
    ...(images.length > 0 && !/llava/i.test(model)
      ? [`"${model}" has no "llava" in its name, so the reference ignores pictures`]
      : []),
  ]
}

function tooLong(): Unavailable {
  return new Unavailable('E_CHAT_TOO_LONG', 'The conversation is too long for this model.', {
    cure: 'Start a new conversation, or use a model with a larger context window.',
  })
}

function clip(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? ''
  return line.slice(0, 120)
}
