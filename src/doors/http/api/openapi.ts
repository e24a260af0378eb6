import { z } from 'zod'
import type { ApiRoute } from './route.ts'

type Json = Readonly<Record<string, unknown>>

/** The API as an OpenAPI 3.1 document. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Json
}

const ABOUT =
  'Ask, check, edit and tag pictures by running visible steps, and teach by correcting. ' +
  'Errors are problem objects (RFC 9457). Chat completions (/v1/chat/completions, /v1/models), the AI SDK stream ' +
  '(/api/chat) and MCP (/mcp) are described by their own protocols.'

/** Describes routes by the very schemas that check them. */
export function openApi(routes: readonly ApiRoute[], version: string): OpenApi {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operation(route) }
  }
  const components = {
    schemas: { Problem: PROBLEM },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'asked for where tokens are enforced' },
    },
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name }))
  return {
    ...{ openapi: '3.1.0', info: { title: 'Pupil', version, description: ABOUT } },
    ...{ tags, paths, components },
  }
}

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'kind', 'fields'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'what is wrong, as a sentence' },
    code: { type: 'string', description: 'stable, such as E_ARGUMENT' },
    kind: { enum: ['UserFault', 'ModelFault', 'Unavailable', 'Bug'] },
    fields: { type: 'object', description: 'what it is about' },
    cure: { type: 'string', description: 'the way out' },
    retryAfter: { type: 'number', description: 'milliseconds' },
  },
}

const PROBLEM_REPLY = {
  description: 'What went wrong.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

function operation(route: ApiRoute): Json {
  const { method, path, tag, about, scope, reply } = route
  const parameters = [...pathParameters(path), ...queryParameters(route)]
  const body = requestBody(route)
  return {
    operationId: operationId(method, path),
    ...{ tags: [tag], summary: about },
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      [reply.status ?? 200]: { description: reply.about, ...replyContent(route) },
      default: PROBLEM_REPLY,
    },
    // Either a token with the scope, or none where none is asked for.
    security: scope === null ? [] : [{ token: [scope] }, {}],
  }
}

/** `post /v1/runs/:id/cancel` is `postRunsIdCancel`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'v1')
  return [method, ...words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join('')
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }))
}

function queryParameters({ query, method }: ApiRoute): readonly Json[] {
  const key = {
    ...{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } },
    description: 'sent again with the same key, a request is carried out once',
  }
  const own = method === 'post' ? [key] : []
  if (query === undefined) return own
  const { properties = {}, required = [] } = schemaOf(query, 'input')
  const named = Object.entries(properties as Readonly<Record<string, Json>>).map(
    ([name, { description, ...schema }]) => ({
      ...{ name, in: 'query', required: (required as readonly string[]).includes(name) },
      ...(description === undefined ? {} : { description }),
      schema,
    }),
  )
  return [...named, ...own]
}

function requestBody({ body, alsoReads = [] }: ApiRoute): Json | undefined {
  if (body === undefined && alsoReads.length === 0) return undefined
  const json = body === undefined ? {} : { 'application/json': { schema: schemaOf(body, 'input') } }
  const others = alsoReads.map((media) => [
    media,
    media === 'multipart/form-data'
      ? { schema: FORM }
      : { schema: { type: 'string', format: 'binary' } },
  ])
  return { content: { ...json, ...(Object.fromEntries(others) as Json) } }
}

const FORM = {
  type: 'object',
  properties: { picture: { type: 'array', items: { type: 'string', format: 'binary' } } },
  additionalProperties: { type: 'string' },
}

function replyContent({ reply }: ApiRoute): Json {
  if (reply.schema !== undefined) {
    return { content: { 'application/json': { schema: schemaOf(reply.schema, 'output') } } }
  }
  if (reply.media === undefined) return {}
  return { content: { [reply.media]: { schema: { type: 'string' } } } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
