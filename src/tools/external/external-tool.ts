import type { CallToolResult, Tool as Offered } from '@modelcontextprotocol/client'
import { ModelFault } from '../../base/index.ts'
import { dataUrl, decodePicture, encodePicture } from '../../image/index.ts'
import type { Value } from '../../program/index.ts'
import { imageArg } from '../args.ts'
import type { Tool } from '../tool.ts'
import { canonical, plainAbout, schemaArgs } from './schema-arg.ts'
import type { PictureForm, SchemaArg } from './schema-arg.ts'

export type CallOutside = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<CallToolResult>

export interface ExternalToolOptions {
  /** Name of the server, by the configuration. */
  readonly server: string
  readonly families: readonly string[]
  readonly pictures?: Readonly<Record<string, PictureForm>>
  readonly call: CallOutside
}

const LONGEST_ABOUT = 300
const LONGEST_TEXT = 20_000

/** The name of an outside tool in programs: `maps` and `find-place` give MAPS_FIND_PLACE. */
export function externalName(server: string, tool: string): string {
  return `${server}_${tool}`
    .toUpperCase()
    .replace(/[^A-Z0-9_]+/g, '_')
    .replace(/^(?=\d)/, '_')
}

/**
 * A tool of another server as one of ours: its signature from its schema, its result as a value.
 *
 * What it says is data: text is cut at 20,000 characters, pictures are decoded under the limits of pictures.
 *
 * @throws UserFault `E_MCP_SCHEMA` when its arguments have no form in the language
 */
export function externalTool(offered: Offered, options: ExternalToolOptions): Tool {
  const { server, families, pictures, call } = options
  const title = `${server}/${offered.name}`
  const args = schemaArgs(offered.inputSchema, { tool: title, ...(pictures ? { pictures } : {}) })
  const about = plainAbout(offered.description ?? offered.title ?? offered.name, LONGEST_ABOUT)
  return {
    signature: {
      name: externalName(server, offered.name),
      args: args.map(({ spec }) => spec),
      ...{ out: 'any', families, about },
    },
    run: async (values, { signal }) => {
      const given = await Promise.all(args.map((arg) => written(arg, values)))
      const result = await call(offered.name, Object.fromEntries(given.flat()), { signal })
      if (result.isError === true) throw said(title, result)
      return { value: await valueOf(result, signal), models: [{ name: `mcp:${title}` }] }
    },
  }
}

/** A value as the outside tool wants it; what was not given is left to the tool. */
async function written(
  arg: SchemaArg,
  values: Readonly<Record<string, Value>>,
): Promise<readonly (readonly [string, unknown])[]> {
  const { spec, property, picture, spellings } = arg
  const value = values[spec.name] ?? null
  if (value === null) return []
  if (picture !== undefined) {
    const bytes = await encodePicture(imageArg(values, spec.name), 'png')
    const text =
      picture === 'base64' ? Buffer.from(bytes).toString('base64') : dataUrl(bytes, 'png')
    return [[property, text]]
  }
  if (spellings !== undefined) return [[property, spellings.get(canonical(String(value))) ?? value]]
  return [[property, spec.type === 'texts' && typeof value === 'string' ? [value] : value]]
}

/** A picture where it gave one; else a plain value where its data is one; else its words. */
async function valueOf(result: CallToolResult, signal: AbortSignal | undefined): Promise<Value> {
  const picture = result.content.find((block) => block.type === 'image')
  if (picture !== undefined) {
    const bytes = Buffer.from(picture.data, 'base64')
    return (await decodePicture(bytes, { name: 'The picture of the tool', signal })).image
  }
  const data: unknown = result.structuredContent
  const fields = typeof data === 'object' && data !== null ? Object.values(data) : []
  const [only] = fields
  if (fields.length === 1 && isPlain(only)) return typeof only === 'string' ? cut(only) : only
  return cut(textOf(result))
}

function isPlain(value: unknown): value is string | number | boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  )
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

const cut = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed().normalize('NFC')

function said(title: string, result: CallToolResult): ModelFault {
  const words = plainAbout(textOf(result), LONGEST_ABOUT)
  return new ModelFault('T_EXTERNAL', `${title} failed and says ${JSON.stringify(words)}.`, {
    fields: { tool: title, says: words },
  })
}
