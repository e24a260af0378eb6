import { UserFault } from '../../base/index.ts'
import type { ArgSpec } from '../../program/index.ts'

/** How a picture is written for an outside tool. */
export type PictureForm = 'base64' | 'data-url'

/** An argument as the language sees it, and how its value is written for the outside tool. */
export interface SchemaArg {
  readonly spec: ArgSpec
  /** Name in the tool's own schema. */
  readonly property: string
  readonly picture?: PictureForm
  /** The tool's own spelling of each allowed text, by the language's. */
  readonly spellings?: ReadonlyMap<string, string>
}

export interface SchemaOptions {
  /** What the errors call the tool. */
  readonly tool: string
  /** Properties that are pictures although their schema does not say so. */
  readonly pictures?: Readonly<Record<string, PictureForm>>
}

type Schema = Readonly<Record<string, unknown>>

const LONGEST_ABOUT = 200

/**
 * The arguments of a tool from its JSON Schema; those that must be given come first.
 *
 * The language has no records: an argument that wants one is left out where it may be, and refused where it must be
 * given. References, and choices between several kinds, are refused in the same way.
 *
 * @throws UserFault `E_MCP_SCHEMA` with the place and what was found there
 */
export function schemaArgs(schema: unknown, options: SchemaOptions): readonly SchemaArg[] {
  const { type, properties = {}, required = [] } = (schema ?? {}) as Schema
  if (type !== undefined && type !== 'object')
    throw refused(options, '', `its type is ${shape(type)}`)
  if (typeof properties !== 'object' || properties === null)
    throw refused(options, '', 'no properties')
  const must = new Set(Array.isArray(required) ? required : [])
  const args = Object.entries(properties).flatMap(([property, value]): readonly SchemaArg[] => {
    const found = schemaArg(property, (value ?? {}) as Schema, options)
    if (typeof found !== 'string') return [must.has(property) ? found : optional(found, value)]
    if (must.has(property)) throw refused(options, property, found)
    return []
  })
  for (const name of must) {
    if (!args.some(({ property }) => property === name)) {
      throw refused(options, String(name), 'it must be given but is not described')
    }
  }
  return args.sort((a, b) => Number('default' in a.spec) - Number('default' in b.spec))
}

function optional(arg: SchemaArg, value: unknown): SchemaArg {
  const { default: standard } = (value ?? {}) as Schema
  const plain = ['string', 'number', 'boolean'].includes(typeof standard)
  return { ...arg, spec: { ...arg.spec, default: plain ? (standard as string) : null } }
}

/** The argument, or why the language has none like it. */
function schemaArg(property: string, given: Schema, options: SchemaOptions): SchemaArg | string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(property)) return 'its name is none of the language'
  const schema = withoutNull(given)
  if (schema === undefined) return 'it may be of several kinds'
  if ('$ref' in schema) return 'it is a reference'
  const base = { name: property, about: aboutOf(schema, property) }
  const form = pictureForm(property, schema, options)
  if (form !== undefined) return { property, picture: form, spec: { ...base, type: 'image' } }
  if (Array.isArray(schema.enum)) return enumArg(property, schema.enum, base)
  switch (schema.type) {
    case 'string':
      return { property, spec: { ...base, type: 'text' } }
    case 'integer':
    case 'number':
      return { property, spec: { ...base, type: schema.type, ...bounds(schema) } }
    case 'boolean':
      return { property, spec: { ...base, type: 'bool' } }
    case 'array': {
      const { type } = (schema.items ?? {}) as Schema
      if (type === 'string') return { property, spec: { ...base, type: 'texts' } }
      if (['number', 'integer', 'boolean'].includes(String(type)))
        return { property, spec: { ...base, type: 'list' } }
      return `it is a list of ${shape(type)}`
    }
    default:
      return `its type is ${shape(schema.type)}`
  }
}

function enumArg(
  property: string,
  values: readonly unknown[],
  base: Pick<ArgSpec, 'name' | 'about'>,
): SchemaArg | string {
  if (!values.every((value) => typeof value === 'string')) return 'its values are no texts'
  const spellings = new Map(values.map((value) => [canonical(value), value]))
  if (spellings.size !== values.length) return 'its values differ only in their spelling'
  return { property, spellings, spec: { ...base, type: 'text', values: [...spellings.keys()] } }
}

/** As the language compares words: lower case, blanks as `_`. */
export function canonical(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, '_')
}

/** `X or null` is X; other choices have no counterpart. */
function withoutNull(schema: Schema): Schema | undefined {
  const { anyOf, oneOf, type, ...rest } = schema
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) {
    const kinds = choices.filter((one: Schema | null) => one?.type !== 'null')
    return kinds.length === 1 ? { ...rest, ...(kinds[0] as Schema) } : undefined
  }
  if (!Array.isArray(type)) return schema
  const kinds = type.filter((one) => one !== 'null')
  return kinds.length === 1 ? { ...rest, type: kinds[0] as unknown } : undefined
}

function pictureForm(
  property: string,
  schema: Schema,
  { pictures = {} }: SchemaOptions,
): PictureForm | undefined {
  if (Object.hasOwn(pictures, property)) return pictures[property]
  const { type, contentMediaType: media, contentEncoding: encoding } = schema
  const picture = type === 'string' && /^image\//.test(String(media))
  return picture ? (encoding === 'base64' ? 'base64' : 'data-url') : undefined
}

function bounds({ minimum, maximum }: Schema): Pick<ArgSpec, 'min' | 'max'> {
  return {
    ...(typeof minimum === 'number' ? { min: minimum } : {}),
    ...(typeof maximum === 'number' ? { max: maximum } : {}),
  }
}

function aboutOf({ description }: Schema, property: string): string {
  return typeof description === 'string' ? plainAbout(description, LONGEST_ABOUT) : property
}

/** What somebody else wrote for models to read: one line, of a length that can carry no speech. */
export function plainAbout(text: string, longest: number): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}

function shape(type: unknown): string {
  return type === undefined ? 'not said' : typeof type === 'string' ? type : JSON.stringify(type)
}

function refused({ tool }: SchemaOptions, property: string, reason: string): UserFault {
  const what = property === '' ? 'Its input' : `Its argument "${property}"`
  return new UserFault(
    'E_MCP_SCHEMA',
    `${tool} cannot join. ${what} has no form here: ${reason}.`,
    {
      fields: { tool, property, reason },
      cure: 'Take it from the list of allowed tools, or ask its maker for plain arguments.',
    },
  )
}
