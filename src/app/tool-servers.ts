import { UserFault } from '../base/index.ts'
import type { ExternalOptions, ExternalServer, ExternalTools } from '../tools/index.ts'
import type { Config, ToolServerConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { openExternalTools } from './external-tools.ts'

/**
 * The allowed tools of the servers that the configuration names; connects to all of them, or fails.
 *
 * @throws UserFault `E_SERVER_KEY` for a variable that is not set, `E_MCP_TOOL`, `E_MCP_SCHEMA`;
 *   Unavailable `E_MCP_SERVER`
 */
export async function openToolServers(
  servers: Config['toolServers'],
  env: Environment,
  options: ExternalOptions = {},
): Promise<ExternalTools> {
  const named = Object.entries(servers)
  if (named.length === 0) return { tools: [], close: () => Promise.resolve() }
  return openExternalTools(
    named.map(([name, server]) => externalServer(name, server, env)),
    options,
  )
}

function externalServer(
  name: string,
  { command, args, cwd, url, passEnv = [], tokenEnv, allow, families, pictures }: ToolServerConfig,
  env: Environment,
): ExternalServer {
  const rest = {
    ...{ name, allow },
    ...(families === undefined ? {} : { families }),
    ...(pictures === undefined ? {} : { pictures }),
  }
  if (url !== undefined) {
    const token = tokenEnv === undefined ? undefined : valueOf(tokenEnv, name, env)
    const headers = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
    return { ...rest, at: { url, ...headers } }
  }
  const given = Object.fromEntries(passEnv.map((key) => [key, valueOf(key, name, env)]))
  return {
    ...rest,
    at: {
      command: command ?? '', // the schema asks for one of the two
      ...(args === undefined ? {} : { args }),
      ...(cwd === undefined ? {} : { cwd }),
      env: given,
    },
  }
}

function valueOf(variable: string, server: string, env: Environment): string {
  const value = env[variable]
  if (value !== undefined && value !== '') return value
  throw new UserFault('E_SERVER_KEY', `The tool server ${server} needs the variable ${variable}.`, {
    fields: { server, variable },
    cure: `Set ${variable}, or take it out of toolServers.${server}.`,
  })
}
