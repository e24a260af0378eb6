import type { Context } from 'hono'
import type { z } from 'zod'
import type { Scope } from '../../../app/index.ts'
import type { DoorEnv, RouteContext } from '../door.ts'

/** What a route answers with when all is well. */
export interface ReplySpec {
  readonly about: string
  /** Default 200. */
  readonly status?: number
  /** Of JSON. */
  readonly schema?: z.ZodType
  /** Of what is not JSON. */
  readonly media?: string
}

/** A request that was checked against its route. */
export interface ApiCall<Query = unknown, Body = unknown> {
  readonly c: Context<DoorEnv>
  readonly context: RouteContext
  readonly query: Query
  readonly body: Body
  /** A part of the path. */
  readonly param: (name: string) => string
}

/** An address of the API as data: routing, checking, permission and description come from this one value. */
export interface ApiRoute<Query = unknown, Body = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Such as `/v1/runs/:id`. */
  readonly path: string
  /** The part of the API that it belongs to. */
  readonly tag: string
  readonly about: string
  /** What a token must be allowed; null for what everybody may. */
  readonly scope: Scope | null
  readonly query?: z.ZodType<Query>
  /** Of a JSON body, checked before `handle`. */
  readonly body?: z.ZodType<Body>
  /** Kinds of body beside JSON, which `handle` reads itself: its `body` is undefined then. */
  readonly alsoReads?: readonly string[]
  readonly reply: ReplySpec
  handle(call: ApiCall<Query, Body>): Response | Promise<Response>
}

/** A route whose types of query and body are known only to itself. */
export function apiRoute<Query = unknown, Body = unknown>(route: ApiRoute<Query, Body>): ApiRoute {
  return route as unknown as ApiRoute
}
