import { errorData } from '../../base/index.ts'
import type { ErrorData } from '../../base/index.ts'

/** Codes with a status of their own; the rest goes by the kind of fault. */
const STATUS: Readonly<Record<string, number>> = {
  E_NOT_FOUND: 404,
  E_NO_RUN: 404,
  E_NO_PICTURE: 404,
  E_BLOB_MISSING: 404,
  E_MODEL: 404,
  E_CONCEPT: 404,
  E_NO_CHAT: 404,
  E_NO_JOB: 404,
  E_BUSY: 409,
  E_IDEMPOTENCY: 409,
  E_STRANGER: 403,
  E_SCOPE: 403,
  E_TOKEN_MISSING: 401,
  E_TOKEN_UNKNOWN: 401,
  E_TOKEN_BUDGET: 429,
  E_GUESSING: 429,
  E_BODY_TOO_LARGE: 413,
  E_PICTURE_TOO_LARGE: 413,
  E_PICTURE_TYPE: 415,
  E_MEDIA_TYPE: 415,
  E_RANGE: 416,
}

/** The status that goes with an error: 4xx the caller's, 503 try later, 500 ours. */
export function statusOf(error: ErrorData): number {
  const known = STATUS[error.code]
  if (known !== undefined) return known
  switch (error.kind) {
    case 'UserFault':
      return 400
    case 'ModelFault':
      return 422
    case 'Unavailable':
      return 503
    case 'Bug':
      return 500
    default:
      return error.kind satisfies never
  }
}

/** An error as a problem object (RFC 9457): the same data that the CLI prints. */
export function problem(error: unknown): Response {
  const data = errorData(error)
  const status = statusOf(data)
  // What is ours to mend is not told to strangers in detail.
  const { message: detail, cause: _cause, ...rest } = data
  const retry: Record<string, string> =
    data.retryAfter === undefined
      ? {}
      : { 'retry-after': String(Math.ceil(data.retryAfter / 1000)) }
  return new Response(
    JSON.stringify({ type: 'about:blank', title: rest.code, status, detail, ...rest }),
    {
      status,
      headers: {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        ...retry,
      },
    },
  )
}
