import { errorData, errorLine, isFault, seededRandom, UserFault } from '../../base/index.ts'
import { decodePicture, encodePicture, maskBox, createObject } from '../../image/index.ts'
import type { Image, ObjectRecord } from '../../image/index.ts'
import type { CallTool } from '../../program/index.ts'
import { compactJson, isDict, readPython, SERVER_ERROR } from '../../tools/index.ts'
import type { PythonDict, PythonValue } from '../../tools/index.ts'
import { maskIn } from './remote-skill.ts'
import type { SkillRepository } from './repository.ts'
import type { SkillResult } from './skill.ts'

export interface SkillHostOptions {
  readonly repository: SkillRepository
  readonly call: CallTool
}

/**
 * Our skills as tool workers of the protocol serve them: JSON in, JSON out, a failure is a reply with
 * `error_code` and the reason. Pictures come as base64 or data URLs, never as paths.
 *
 * Satisfies the door's `ToolHost`.
 *
 * @source llava-plus §5.4
 */
export interface SkillHost {
  readonly names: readonly string[]
  details(name: string): object
  call(name: string, body: string, signal: AbortSignal): Promise<string>
}

/** The names of all skills that can run here. */
export async function createSkillHost({ repository, call }: SkillHostOptions): Promise<SkillHost> {
  const able = (await repository.list()).filter(({ where }) => where === 'here')
  const names = able.flatMap(({ skill }) => skill.names)
  return {
    names,
    details: (name) => {
      const skill = repository.find(name)
      if (skill === undefined) return { name }
      const { about, parameters, replies, cost } = skill
      return { ...{ name, names: skill.names, about, parameters, replies, cost } }
    },
    call: async (name, body, signal) => {
      try {
        return compactJson(await answer(name, body, { repository, call, signal }))
      } catch (error) {
        if (signal.aborted) throw signal.reason
        return compactJson(failure(error))
      }
    },
  }
}

async function answer(
  name: string,
  body: string,
  { repository, call, signal }: SkillHostOptions & { readonly signal: AbortSignal },
): Promise<PythonDict> {
  const asked = readPython(body)
  if (!isDict(asked)) throw new UserFault('E_SKILL_PARAMS', 'Expected a JSON object for the body.')
  const image = await pictureIn(asked.get('image'), signal)
  let ids = 0
  const random = seededRandom(1)
  const result = await repository.run(
    { name: modeOf(name, asked), params: without(asked, ['image', 'mask', 'mode']) },
    {
      picture: image === undefined ? undefined : { name: 'picture1', image },
      state: {},
      masks: masksOf(asked.get('mask'), image),
      ...{ backends: repository.backends, signal },
      call: (tool, args) =>
        call(tool, args, { signal, family: 'open', random, newId: () => `o${++ids}`, step: 1 }),
    },
  )
  return withPictures(result, signal)
}

/** `controlnet` serves semantic segmentation too, by its mode. */
function modeOf(name: string, asked: PythonDict): string {
  return name === 'controlnet' && asked.get('mode') === 'openseed' ? 'openseed' : name
}

function without(params: PythonDict, keys: readonly string[]): PythonDict {
  return new Map([...params].filter(([key]) => !keys.includes(key)))
}

async function pictureIn(
  value: PythonValue | undefined,
  signal: AbortSignal,
): Promise<Image | undefined> {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value.replace(/^data:[^,]{0,100},/, '') : ''
  if (!/^[A-Za-z0-9+/=\s]+$/.test(text)) {
    throw new UserFault('E_PICTURE_TYPE', 'Expected the base64 text of a picture for image.', {
      cure: 'Send the bytes of a PNG or JPEG in base64; paths and addresses are not opened.',
    })
  }
  const { image } = await decodePicture(Buffer.from(text, 'base64'), { signal })
  return image
}

/** The mask of a request, as an object of the picture. */
function masksOf(value: PythonValue | undefined, image?: Image): readonly ObjectRecord[] {
  const mask = maskIn(value)
  const box = mask === undefined ? undefined : maskBox(mask)
  if (mask === undefined || box === undefined || image === undefined) return []
  const one = createObject({ id: 'mask1', box, category: 'region', mask }, image)
  return one === undefined ? [] : [one]
}

/** The reply with its pictures as JPEG in base64, as the reference sends them. */
async function withPictures(
  { reply, made = [] }: SkillResult,
  signal: AbortSignal,
): Promise<PythonDict> {
  const [first] = made
  if (first === undefined) return reply
  const bytes = await encodePicture(first, 'jpeg', { signal })
  const key = reply.has('segments') ? 'image_seg' : 'edited_image'
  return new Map([...reply, [key, Buffer.from(bytes).toString('base64')]])
}

function failure(error: unknown): PythonDict {
  const data = errorData(error)
  const reason = isFault(error) ? errorLine(data) : data.message
  return new Map<string, PythonValue>([
    ['text', `${SERVER_ERROR}\n\n(${reason})`],
    ['error_code', 50001n],
  ])
}
