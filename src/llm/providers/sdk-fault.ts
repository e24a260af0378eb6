import { isFault, Unavailable, UserFault } from '../../base/index.ts'
import type { AnyFault, Clock } from '../../base/index.ts'

/** What an error of a provider should name. */
export interface FaultPlace {
  /** Model id, `provider/name`. */
  readonly model: string
  /** The server's address, for people. */
  readonly address?: string | undefined
  /** The way out when nothing answers. */
  readonly cure?: string | undefined
  /** How to give another key, when there is one. */
  readonly keyCure?: string | undefined
  /** Never shown. */
  readonly secrets: readonly string[]
  readonly clock: Clock
}

interface CallError {
  readonly message: string
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
  readonly url?: string
}

/**
 * Whatever a provider threw, as one of our four classes.
 *
 * Keys are blotted out of the text, and the provider's own error is not kept as the cause: it holds
 * the whole request.
 *
 * @returns Unavailable `T_LLM` for no answer, 408, 409, 425, 429, 5xx, a broken stream or no JSON
 *   (`fields.retry` says whether another try makes sense); UserFault `E_MODEL_KEY` for 401 and 403,
 *   `E_MODEL_UNKNOWN` for 404, `E_MODEL_CONTEXT` for a prompt that is too long, `E_MODEL_REQUEST` for
 *   other refusals
 */
export function sdkFault(error: unknown, place: FaultPlace): AnyFault {
  if (isFault(error)) return error
  const { statusCode, responseHeaders = {}, responseBody } = readCallError(error)
  const says = redact(readMessage(error), place.secrets)
  const fields = { model: place.model, ...(statusCode === undefined ? {} : { status: statusCode }) }
  const cause = new Error(says)
  if (statusCode === undefined) return silent(says, place, cause)
  if (statusCode === 401 || statusCode === 403) {
    return new UserFault('E_MODEL_KEY', `${place.model}: the key was refused: ${says}`, {
      ...{ fields, cause, cure: place.keyCure ?? 'Check the key of this provider.' },
    })
  }
  if (statusCode === 404) {
    return new UserFault('E_MODEL_UNKNOWN', `${place.model} is not known there: ${says}`, {
      ...{ fields, cause, cure: 'Check the name of the model, and that the server has it.' },
    })
  }
  if (isTransient(statusCode)) {
    const retryAfter = readRetryAfter(responseHeaders, place.clock.now())
    return new Unavailable('T_LLM', `${place.model} answered with status ${statusCode}: ${says}`, {
      fields: { ...fields, reason: statusCode === 429 ? 'rate-limit' : 'server', retry: true },
      ...(retryAfter === undefined ? {} : { retryAfter }),
      cure: statusCode === 429 ? 'Wait a while, or raise the limit.' : 'Try again later.',
      cause,
    })
  }
  if (statusCode < 400) return notJson(responseBody ?? '', place, cause)
  if (
    statusCode === 413 ||
    /context (length|window|size)|too (long|large|many tokens)/i.test(says)
  ) {
    return new UserFault('E_MODEL_CONTEXT', `${place.model}: the prompt is too long: ${says}`, {
      ...{ fields, cause, cure: 'Show fewer examples, or use a model with a larger window.' },
    })
  }
  return new UserFault('E_MODEL_REQUEST', `${place.model} refused the request: ${says}`, {
    ...{ fields, cause, cure: 'See what the provider says; "pupil doctor" probes the model.' },
  })
}

/** A reply that ended before it was finished. */
export function brokenOff(place: FaultPlace): Unavailable {
  return new Unavailable('T_LLM', `${place.model}: the reply broke off before its end.`, {
    fields: { model: place.model, reason: 'broken-off', retry: true },
    cure: 'Try again; if it repeats, see the log of the model server.',
  })
}

/** `text` without the secrets, and without what looks like a key. */
export function redact(text: string, secrets: readonly string[]): string {
  const blotted = secrets
    .filter((secret) => secret.length > 0)
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
  return blotted.replace(/\b(sk-|AIza)[A-Za-z0-9*_-]{12,}/g, '[key]')
}

/** Milliseconds to wait, from `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function readRetryAfter(
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const text = headers['retry-after']
  if (text === undefined || text.trim() === '') return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function isTransient(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || status >= 500
}

function silent(says: string, place: FaultPlace, cause: Error): Unavailable {
  const where = place.address === undefined ? place.model : `${place.model} at ${place.address}`
  return new Unavailable('T_LLM', `${where} does not answer: ${says}`, {
    fields: { model: place.model, reason: 'no-answer', retry: true },
    cure: place.cure ?? 'Check the network and the address of the model server.',
    cause,
  })
}

function notJson(body: string, place: FaultPlace, cause: Error): Unavailable {
  const start = redact(body, place.secrets).replace(/\s+/g, ' ').trim().slice(0, 120)
  const message = `${place.model} answered with something other than a reply: ${start || 'nothing'}`
  return new Unavailable('T_LLM', message, {
    fields: { model: place.model, reason: 'not-json', retry: false },
    cure: `Check the base URL${place.address === undefined ? '' : ` ${place.address}`}; it usually ends in /v1.`,
    cause,
  })
}

function readCallError(error: unknown): CallError {
  return error instanceof Error ? (error as Error & CallError) : { message: String(error) }
}

/** The provider's own words: an error, an object with a message, or the innermost network reason. */
function readMessage(error: unknown): string {
  if (typeof error === 'string') return error
  if (error === null || typeof error !== 'object') return String(error)
  const { message, cause } = error as { message?: unknown; cause?: unknown }
  const code = (cause as { code?: unknown } | undefined)?.code
  const text = typeof message === 'string' ? message : JSON.stringify(error)
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text
}
