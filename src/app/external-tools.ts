import type { ExternalOptions, ExternalServer, ExternalTools } from '../tools/index.ts'

/**
 * The allowed tools of other servers of the Model Context Protocol; give them to `openPupil` as `tools`, and close
 * them after it.
 *
 * @throws UserFault `E_MCP_TOOL`, `E_MCP_SCHEMA`; Unavailable `E_MCP_SERVER`
 */
export async function openExternalTools(
  servers: readonly ExternalServer[],
  options: ExternalOptions = {},
): Promise<ExternalTools> {
  const tools = await import('../tools/index.ts')
  return tools.openExternalTools(servers, options)
}
