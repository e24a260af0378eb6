import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Pupil } from '../../app/index.ts'
import { requestBytes } from './request-bytes.ts'
import { createMcpServer } from './server.ts'

export interface McpHttpOptions {
  /** Names that the Host and Origin headers may have; default: those of this machine; null: any (a guard stands before). */
  readonly hostnames?: readonly string[] | null
}

/** The protocol over streamable HTTP; needs no socket. */
export interface McpDoor {
  handle(request: Request): Promise<Response>
  close(): Promise<void>
}

/**
 * Answers requests of the protocol, each by a server of its own, so that nothing is kept between them.
 *
 * Pictures come as data or as addresses of kept ones, never as paths: who asks is not who owns the files.
 */
export function mcpDoor(pupil: Pupil, options: McpHttpOptions = {}): McpDoor {
  const { hostnames = localhostAllowedHostnames() } = options
  const handler = createMcpHandler(() => createMcpServer(pupil, { files: false }), {
    maxRequestBodySize: requestBytes(pupil.config.limits),
  })
  return {
    handle: async (request) => {
      const refused = hostnames === null ? undefined : refuse(request, [...hostnames])
      return refused ?? handler.fetch(request)
    },
    close: () => handler.close(),
  }
}

/** Requests that were never on a wire have no Host; then their address tells. */
function refuse(request: Request, hostnames: string[]): Response | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host
  const named = new Request(request.url, { headers: { host } })
  return (
    hostHeaderValidationResponse(named, hostnames) ?? originValidationResponse(request, hostnames)
  )
}
