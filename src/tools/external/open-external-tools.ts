import type { Client, Transport } from '@modelcontextprotocol/client'
import type { Abortable } from '../../base/index.ts'
import { isAbort, nearestNames, Unavailable, UserFault } from '../../base/index.ts'
import { SIGNATURES } from '../signatures.ts'
import type { Tool } from '../tool.ts'
import { externalTool } from './external-tool.ts'
import type { PictureForm } from './schema-arg.ts'

/** How a server of the Model Context Protocol is reached. */
export type ExternalAddress =
  | {
      readonly command: string
      readonly args?: readonly string[]
      /** The only variables it gets beside those that every program needs, such as PATH. */
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export interface ExternalServer {
  /** Short name; the tools' names begin with it. */
  readonly name: string
  readonly at: ExternalAddress
  /** Tools that may join, by their own names. Nothing else does, whatever the server offers. */
  readonly allow: readonly string[]
  /** Task families that offer them beside `open`. */
  readonly families?: readonly string[]
  /** By tool: arguments that are pictures although their schema does not say so. */
  readonly pictures?: Readonly<Record<string, Readonly<Record<string, PictureForm>>>>
}

export interface ExternalTools {
  readonly tools: readonly Tool[]
  /** Ends the connections and the processes behind them. */
  close(): Promise<void>
}

export interface ExternalOptions extends Abortable {
  /** Makes the connection; given by tests. */
  readonly connect?: (server: ExternalServer) => Promise<Transport>
}

/**
 * The allowed tools of other servers, ready to join a toolbox. All of them, or none: what cannot join is an error.
 *
 * @throws UserFault `E_MCP_TOOL` for one that is not offered or has a name that is taken, `E_MCP_SCHEMA`;
 *   Unavailable `E_MCP_SERVER`
 */
export async function openExternalTools(
  servers: readonly ExternalServer[],
  options: ExternalOptions = {},
): Promise<ExternalTools> {
  const clients: Client[] = []
  const close = async (): Promise<void> => {
    await Promise.allSettled(clients.map((client) => client.close()))
  }
  try {
    const taken = new Set(SIGNATURES.map(({ name }) => name))
    const tools: Tool[] = []
    for (const server of servers) {
      const client = await connected(server, options)
      clients.push(client)
      for (const tool of await toolsOf(server, client)) {
        const { name } = tool.signature
        if (taken.has(name)) throw notFree(server, name)
        taken.add(name)
        tools.push(tool)
      }
    }
    return { tools, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function connected(server: ExternalServer, options: ExternalOptions): Promise<Client> {
  const { signal, connect = transportTo } = options
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'pupil', version: '1' })
  try {
    signal?.throwIfAborted()
    await client.connect(await connect(server), { signal })
    return client
  } catch (cause) {
    await client.close().catch(() => {})
    if (isAbort(cause) || signal?.aborted === true) throw signal?.reason ?? cause
    throw new Unavailable('E_MCP_SERVER', `The tool server ${server.name} does not answer.`, {
      fields: { server: server.name, at: 'url' in server.at ? server.at.url : server.at.command },
      cure: 'Look whether it can be started and reached by itself.',
      cause,
    })
  }
}

async function transportTo({ at }: ExternalServer): Promise<Transport> {
  if ('url' in at) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const requestInit = { headers: { ...at.headers } }
    return new StreamableHTTPClientTransport(new URL(at.url), { requestInit })
  }
  const { getDefaultEnvironment, StdioClientTransport } =
    await import('@modelcontextprotocol/client/stdio')
  const { command, args = [], env, cwd } = at
  return new StdioClientTransport({
    ...{ command, args: [...args], env: { ...getDefaultEnvironment(), ...env }, stderr: 'ignore' },
    ...(cwd === undefined ? {} : { cwd }),
  })
}

async function toolsOf(server: ExternalServer, client: Client): Promise<readonly Tool[]> {
  const { tools } = await client.listTools()
  const names = tools.map((tool) => tool.name)
  return server.allow.map((name) => {
    const offered = tools.find((tool) => tool.name === name)
    if (offered === undefined) throw notOffered(server, name, names)
    const pictures = server.pictures?.[name]
    return externalTool(offered, {
      ...{ server: server.name, families: server.families ?? ['open'] },
      ...(pictures === undefined ? {} : { pictures }),
      call: (tool, args, { signal }) =>
        client.callTool(
          { name: tool, arguments: { ...args } },
          signal === undefined ? {} : { signal },
        ),
    })
  })
}

function notOffered(server: ExternalServer, name: string, names: readonly string[]): UserFault {
  const near = nearestNames(name, names)
  return new UserFault('E_MCP_TOOL', `The server ${server.name} offers no tool "${name}".`, {
    fields: { server: server.name, tool: name, offered: names },
    cure:
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It offers: ${names.join(', ')}.`,
  })
}

function notFree(server: ExternalServer, name: string): UserFault {
  return new UserFault('E_MCP_TOOL', `There is a tool ${name} already.`, {
    fields: { server: server.name, tool: name },
    cure: `Give the server another name than "${server.name}".`,
  })
}
