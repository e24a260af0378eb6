import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { createPupil, resolveConfig } from '../../app/index.ts'
import { countingIds } from '../../base/index.ts'
import { createMcpServer } from './server.ts'

/** A client that is connected to a server of a fresh home, taken away after the file's tests. */
export async function openServer({ files = true } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'pupil-mcp-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const { config } = await resolveConfig({ env: { PUPIL_HOME: root }, cwd: root })
  const pupil = createPupil(config, { ids: countingIds() })
  const server = await createMcpServer(pupil, { files })
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), client.connect(theirs)])
  return {
    ...{ pupil, client },
    call: (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
      client.callTool({ name, arguments: args }),
    close: async () => {
      await client.close()
      await pupil.close()
    },
  }
}

export const textOf = (result: CallToolResult): string =>
  result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

export function dataOf<T>(result: CallToolResult): T {
  return (result.structuredContent ?? {}) as T
}
