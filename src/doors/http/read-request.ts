import { z } from 'zod'
import type { PictureInput, Pupil, RunRequest } from '../../app/index.ts'
import { shown, UserFault } from '../../base/index.ts'

const budget = z.strictObject({
  calls: z.number().nonnegative().optional(),
  tokens: z.number().nonnegative().optional(),
  seconds: z.number().nonnegative().optional(),
  money: z.number().nonnegative().optional(),
  pictures: z.number().nonnegative().optional(),
})

const picture = z.union([
  z.strictObject({ base64: z.base64(), name: z.string().max(200).optional() }),
  z.strictObject({ blob: z.string().regex(/^[0-9a-f]{64}$/) }),
])

const body = z.strictObject({
  instruction: z.string().trim().max(2000).default(''),
  family: z.string().min(1).default('auto'),
  program: z.string().max(20_000).optional(),
  pictures: z.array(picture).min(1).max(8),
  budget: budget.optional(),
  seed: z.number().int().nonnegative().optional(),
})

/** A run as a client asks for it. */
export interface ReadRun {
  readonly request: Omit<RunRequest, 'family'> & { readonly family: string }
  readonly options: { readonly budget?: z.infer<typeof budget>; readonly seed?: number }
}

/**
 * What a POST to `/v1/runs` asks for: JSON with pictures in base64 or by reference, or a form with files.
 *
 * @throws UserFault `E_ARGUMENT`, `E_MEDIA_TYPE`
 */
export async function readRunRequest(request: Request, pupil: Pupil): Promise<ReadRun> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('multipart/form-data')) return readForm(request)
  if (/^application\/json\b/.test(type)) return readJson(request, pupil)
  throw new UserFault('E_MEDIA_TYPE', `Expected a form or JSON but got "${type}".`, {
    fields: { type },
    cure: 'Send multipart/form-data with a file "picture", or application/json.',
  })
}

async function readJson(request: Request, pupil: Pupil): Promise<ReadRun> {
  let value: unknown
  try {
    value = await request.json()
  } catch (cause) {
    throw new UserFault('E_ARGUMENT', 'The body is not JSON.', { cause })
  }
  const { pictures, ...rest } = check(body, value)
  const inputs = await Promise.all(
    pictures.map(async (one, index): Promise<PictureInput> => {
      if ('blob' in one)
        return { bytes: (await pupil.pictures.file(one.blob)).bytes, name: one.blob }
      return { bytes: Buffer.from(one.base64, 'base64'), name: one.name ?? `picture ${index + 1}` }
    }),
  )
  return split({ ...rest, pictures: inputs })
}

async function readForm(request: Request): Promise<ReadRun> {
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
  return split({ ...check(body, given), pictures })
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
  seed,
  ...request
}: Omit<z.infer<typeof body>, 'pictures'> & {
  readonly pictures: readonly PictureInput[]
}): ReadRun {
  return {
    request,
    options: {
      ...(limits === undefined ? {} : { budget: limits }),
      ...(seed === undefined ? {} : { seed }),
    },
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0] as z.core.$ZodIssue
  const path = issue.path.join('.') || 'the body'
  const got = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown>)?.[key],
    value,
  )
  throw new UserFault('E_ARGUMENT', `${path}: ${issue.message}; got ${shown(got)}.`, {
    fields: { path, got: shown(got) },
  })
}
