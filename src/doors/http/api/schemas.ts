import { z } from 'zod'
import { UserFault } from '../../../base/index.ts'
import type { PictureInput, Pupil } from '../../../app/index.ts'

export const budget = z
  .strictObject({
    calls: z.number().nonnegative().optional(),
    tokens: z.number().nonnegative().optional(),
    seconds: z.number().nonnegative().optional(),
    money: z.number().nonnegative().optional(),
    pictures: z.number().nonnegative().optional(),
  })
  .describe('limits; those of the configuration where it names none')

/** A picture in a JSON body: its bytes, or one that is kept here. */
export const picture = z
  .union([
    z.strictObject({ base64: z.base64(), name: z.string().max(200).optional() }),
    z.strictObject({ blob: z.string().regex(/^[0-9a-f]{64}$/) }),
  ])
  .describe('the bytes of a picture file, or the hash of a picture that is kept here')
export type GivenPicture = z.infer<typeof picture>

export const box = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('[x1, y1, x2, y2] in pixels, ends exclusive')

export const seed = z.number().int().nonnegative().describe('start of the random numbers')

/** A switch in a query: `?wait=true`, `?wait=1` or only `?wait`. */
export const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .optional()
  .transform((text) => text === 'true' || text === '1' || text === '')

/** A thing with fields beside those that are told. */
const open = <T extends z.ZodRawShape>(shape: T) => z.looseObject(shape)

export const runReply = open({
  run: z.string(),
  agent: z.string(),
  status: z.enum(['done', 'error', 'aborted', 'open']),
  family: z.string(),
  instruction: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  answer: z.string().optional(),
  image: z.string().optional().describe('address of the resulting picture'),
  program: z.string(),
  steps: z.array(z.unknown()),
  costs: z.record(z.string(), z.unknown()),
  warnings: z.array(z.string()),
  createdAt: z.number().describe('milliseconds since 1970'),
})

export const startedReply = open({
  run: z.string(),
  status: z.literal('open'),
  self: z.string(),
  events: z.string().describe('address of its steps as server-sent events'),
})

export const lessonReply = open({
  id: z.string(),
  version: z.number(),
  tool: z.string(),
  concept: z.string().nullable(),
  status: z.enum(['applied', 'kept-out', 'undone', 'superseded']),
  validation: z.unknown(),
  effect: z.unknown().describe('the proof on the corrected run, and which old answers change'),
  reason: z.string().optional().describe('why it was kept out'),
  createdAt: z.number(),
})

/** A list with the address of its next page. */
export const listReply = (name: string, item: z.ZodType) =>
  z.object({ [name]: z.array(item), next: z.string().optional() })

/** The bytes behind a picture of a body. @throws UserFault `E_NO_PICTURE` */
export async function pictureOf(
  given: GivenPicture,
  name: string,
  pupil: Pick<Pupil, 'pictures'>,
): Promise<Exclude<PictureInput, string>> {
  if ('blob' in given) {
    return { bytes: (await pupil.pictures.file(given.blob)).bytes, name: given.blob }
  }
  return { bytes: Buffer.from(given.base64, 'base64'), name: given.name ?? name }
}

export type FormPictures = readonly { readonly bytes: Uint8Array; readonly name: string }[]

/** A form and its files `picture`. @throws UserFault `E_ARGUMENT` */
export async function formPictures(
  request: Request,
): Promise<{ readonly form: FormData; readonly pictures: FormPictures }> {
  let form: FormData
  try {
    form = await request.formData()
  } catch (cause) {
    throw new UserFault('E_ARGUMENT', 'The form cannot be read.', { cause })
  }
  const files = form.getAll('picture').filter((entry) => entry instanceof File)
  const pictures = await Promise.all(
    files.map(async (file) => ({
      bytes: new Uint8Array(await file.arrayBuffer()),
      name: file.name,
    })),
  )
  return { form, pictures }
}
