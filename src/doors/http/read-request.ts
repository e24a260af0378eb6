import { z } from 'zod'
import type { PictureInput, Pupil, RunRequest } from '../../app/index.ts'
import { UserFault } from '../../base/index.ts'
import { budget, formPictures, picture, pictureOf, seed } from './api/schemas.ts'
import { checkValue } from './check-body.ts'

/** What starts a run. */
export const runBody = z.strictObject({
  instruction: z.string().trim().max(2000).default(''),
  family: z
    .string()
    .min(1)
    .default('auto')
    .describe('gqa, nlvr, imgedit, tagging, open, or auto to let Pupil choose'),
  program: z.string().max(20_000).optional().describe('a program to run as it is'),
  pictures: z.array(picture).min(1).max(8),
  budget: budget.optional(),
  seed: seed.optional(),
})
export type RunBody = z.infer<typeof runBody>

/** A run as a client asks for it. */
export interface ReadRun {
  readonly request: Omit<RunRequest, 'family'> & { readonly family: string }
  readonly options: { readonly budget?: z.infer<typeof budget>; readonly seed?: number }
}

/** A run that was asked for by JSON. @throws UserFault `E_NO_PICTURE` */
export async function readRunBody({ pictures, ...rest }: RunBody, pupil: Pupil): Promise<ReadRun> {
  const inputs = await Promise.all(
    pictures.map((one, index) => pictureOf(one, `picture ${index + 1}`, pupil)),
  )
  return split({ ...rest, pictures: inputs })
}

/** A run that was asked for by a form with files `picture`. @throws UserFault `E_ARGUMENT` */
export async function readRunForm(request: Request): Promise<ReadRun> {
  const { form, pictures } = await formPictures(request)
  const text = (name: string): string | undefined => {
    const value = form.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const given = {
    instruction: text('instruction'),
    family: text('family'),
    program: text('program'),
    budget: text('budget') === undefined ? undefined : jsonField('budget', text('budget') ?? ''),
    seed: text('seed') === undefined ? undefined : Number(text('seed')),
    // Counted here; the files themselves need no schema.
    pictures: pictures.map(() => ({ base64: '' })),
  }
  return split({ ...checkValue(given, runBody, 'the form'), pictures })
}

function jsonField(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserFault('E_ARGUMENT', `The field ${name} is not JSON.`, { cause })
  }
}

function split({
  budget: limits,
  seed: start,
  ...request
}: Omit<RunBody, 'pictures'> & { readonly pictures: readonly PictureInput[] }): ReadRun {
  return {
    request,
    options: {
      ...(limits === undefined ? {} : { budget: limits }),
      ...(start === undefined ? {} : { seed: start }),
    },
  }
}
