import { z } from 'zod'
import { callableSkills, skillRequest } from '../../app/index.ts'
import type { PictureBytes, Pupil } from '../../app/index.ts'
import { perform } from './perform.ts'
import { pictureSchema, readPicture } from './picture-input.ts'
import { runOutput } from './run-result.ts'
import { LOOKS, MAKES, toolEntry } from './tool-entry.ts'
import type { McpOptions, ToolEntry } from './tool-entry.ts'

type Signature = Awaited<ReturnType<Pupil['tools']>>[number]
type ArgSpec = Signature['args'][number]

/** Every skill by itself, its schema made from its signature. */
export function skillTools(
  signatures: readonly Signature[],
  options: McpOptions,
): readonly ToolEntry[] {
  return callableSkills(signatures).map((signature) => skillTool(signature, options))
}

function skillTool(signature: Signature, { files }: McpOptions): ToolEntry {
  const { name, about, args, out } = signature
  const images = args.filter(({ type }) => type === 'image').map((arg) => arg.name)
  return toolEntry({
    ...{ name, title: name, about },
    input: z.strictObject(
      Object.fromEntries(args.map((arg) => [arg.name, argSchema(arg, files)])),
    ) as z.ZodType<Readonly<Record<string, unknown>>>,
    ...{ output: runOutput, hints: out === 'image' ? MAKES : LOOKS },
    run: async (input, call) => {
      const pictures: Record<string, PictureBytes> = {}
      for (const image of images) {
        const given = input[image]
        if (given !== undefined) pictures[image] = await readPicture(String(given), image, call)
      }
      const request = await skillRequest({ tool: name, args: input, pictures }, call.pupil)
      return perform(request, call, { skill: true })
    },
  })
}

const texts = z.string().max(2000)
const box = z.array(z.number()).length(4)

/** The schema of an argument: one level deep wherever the language allows it. */
function argSchema(arg: ArgSpec, files: boolean): z.ZodType {
  const described = kindSchema(arg, files).describe(describe(arg, files))
  return arg.default === undefined ? described : described.optional()
}

function describe(arg: ArgSpec, files: boolean): string {
  const standard = arg.default ?? null
  const rest = standard === null ? '' : `; default ${JSON.stringify(standard)}`
  if (arg.type === 'image') return `${pictureSchema(files, arg.about).description}${rest}`
  if (arg.type === 'objects') return `${arg.about}; [x1, y1, x2, y2] in pixels of the picture`
  return arg.about + rest
}

function kindSchema(arg: ArgSpec, files: boolean): z.ZodType {
  switch (arg.type) {
    case 'image':
      return pictureSchema(files)
    case 'objects':
      return z.array(box).min(1).max(200)
    case 'text':
      return arg.values === undefined ? texts : z.enum(arg.values as [string, ...string[]])
    case 'texts':
      return z.union([texts, z.array(texts).max(100)])
    case 'emoji':
      return texts
    case 'integer':
      return bounded(z.number().int(), arg)
    case 'number':
      return bounded(z.number(), arg)
    case 'bool':
      return z.boolean()
    case 'list':
      return z.array(z.union([texts, z.number(), z.boolean(), box])).max(1000)
    case 'expression':
    case 'variable':
      throw new TypeError(`${arg.name} belongs to programs only`)
    default:
      return arg.type satisfies never
  }
}

function bounded(schema: z.ZodNumber, { min, max }: ArgSpec): z.ZodNumber {
  const low = min === undefined ? schema : schema.min(min)
  return max === undefined ? low : low.max(max)
}
