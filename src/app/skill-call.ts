import { expected, nearestNames, UserFault } from '../base/index.ts'
import type { Box } from '../image/index.ts'
import type { ArgSpec, Signature } from '../program/index.ts'
import type { Limits } from './config.ts'
import type { PictureInput } from './picture-library.ts'
import type { Pupil, RunRequest } from './pupil.ts'

/** Bytes of a picture file with the name that errors call it by. */
export type PictureBytes = Exclude<PictureInput, string>

/** One tool with its arguments as JSON; pictures as bytes, boxes in pixels of the original picture. */
export interface SkillCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Pictures by the name of their argument. */
  readonly pictures: Readonly<Record<string, PictureBytes>>
}

/** Tools that only make sense inside a program: their arguments are its variables. */
const OF_PROGRAMS = ['expression', 'variable']

/** The tools that can be called by themselves. */
export function callableSkills(signatures: readonly Signature[]): readonly Signature[] {
  return signatures.filter(({ args }) => !args.some(({ type }) => OF_PROGRAMS.includes(type)))
}

/**
 * The run that calls one tool: a program of one step, so that it is checked, recorded and shown like any other.
 *
 * Texts are literal: braces in them name no variable.
 *
 * @throws UserFault `T_UNKNOWN_TOOL`, `E_ARGUMENT`, `E_PICTURE_*`
 */
export async function skillRequest(
  call: SkillCall,
  pupil: Pick<Pupil, 'tools' | 'config'>,
): Promise<RunRequest> {
  const signature = named(call.tool, callableSkills(await pupil.tools()))
  const given = signature.args.filter(({ name, type }) =>
    type === 'image' ? call.pictures[name] !== undefined : call.args[name] !== undefined,
  )
  const images = given.filter(({ type }) => type === 'image').map(({ name }) => name)
  const pictures = images.map((name) => call.pictures[name] as PictureBytes) // `given` says so
  const scale = await reduction(given, pictures[0], call, pupil.config.limits)
  const args = await Promise.all(
    given.map(async (spec) =>
      spec.type === 'image'
        ? `${spec.name}=${inputName(images.indexOf(spec.name))}`
        : `${spec.name}=${await literal(call.args[spec.name], spec, scale)}`,
    ),
  )
  const program = `OUTCOME=${signature.name}(${args.join(',')})\nFINAL_RESULT=RESULT(var=OUTCOME)`
  return { family: 'open', instruction: '', pictures, program }
}

const inputName = (index: number): string => (index === 0 ? 'IMAGE' : `IMAGE_${index + 1}`)

function named(name: string, known: readonly Signature[]): Signature {
  const found = known.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = known.map((one) => one.name)
  const near = nearestNames(name, names)
  throw new UserFault(
    'T_UNKNOWN_TOOL',
    `There is no tool "${name}" that can be called by itself.`,
    {
      fields: { tool: name, known: names },
      cure: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Tools: ${names.join(', ')}.`,
    },
  )
}

/** How much smaller the run's picture is than the original that boxes are given in. */
async function reduction(
  given: readonly ArgSpec[],
  picture: PictureBytes | undefined,
  { args }: SkillCall,
  limits: Limits,
): Promise<number> {
  const boxed = given.some(
    ({ name, type }) => type === 'objects' && boxesOf(args[name]) !== undefined,
  )
  if (!boxed || picture === undefined) return 1
  const { decodePicture } = await import('../image/index.ts')
  const { FAMILIES } = await import('../program/index.ts')
  const { bytes, name } =
    picture instanceof Uint8Array ? { bytes: picture, name: undefined } : picture
  const { maxSide } = FAMILIES.open
  const { image, original } = await decodePicture(bytes, {
    ...(maxSide === null ? {} : { maxSide }),
    ...(name === undefined ? {} : { name }),
    ...{ maxBytes: limits.bytes, maxPixels: limits.pixels },
  })
  return image.width / original.width
}

function boxesOf(value: unknown): readonly Box[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  if (isBox(value)) return [value]
  return value.every(isBox) ? value : undefined
}

function isBox(value: unknown): value is Box {
  return Array.isArray(value) && value.length === 4 && value.every(Number.isFinite)
}

/** A JSON value as the program's text has it. */
async function literal(value: unknown, spec: ArgSpec, scale: number): Promise<string> {
  const { printValue } = await import('../program/index.ts')
  const at = { offset: 0, line: 1, column: 1, length: 0 }
  const text = (one: string): string =>
    printValue({
      ...{ type: 'string', expression: false, at, map: null, start: 0 },
      text: spec.type === 'emoji' ? one : one.replace(/[{}]/g, '$&$&'),
    })
  if (spec.type === 'objects') {
    const boxes = boxesOf(value)
    if (boxes === undefined) throw expected('a list of boxes [x1, y1, x2, y2]', spec.name, value)
    return JSON.stringify(boxes.map((box) => box.map((side) => Math.round(side * scale))))
  }
  const write = (one: unknown): string => {
    if (typeof one === 'string') return text(one)
    if (typeof one === 'number' && Number.isFinite(one)) return String(one)
    if (typeof one === 'boolean') return one ? 'True' : 'False'
    if (Array.isArray(one)) return `[${one.map(write).join(',')}]`
    if (one === null) return 'None'
    throw expected('a text, number, truth value or list', spec.name, one)
  }
  return write(value)
}
