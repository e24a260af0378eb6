import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPupil, resolveConfig } from '../../app/index.ts'
import type { Pupil, UserConfig } from '../../app/index.ts'
import { countingIds } from '../../base/index.ts'
import { encodePicture, solidImage } from '../../image/index.ts'
import { createDoor } from './door.ts'
import type { DoorOptions } from './door.ts'

export const ADDRESS = 'http://127.0.0.1:4173'

export const PNG = Buffer.from(
  await encodePicture(solidImage({ width: 100, height: 80 }, [9, 90, 200]), 'png'),
)

/** A program that needs no model. */
export const PROGRAM = 'SUM=EVAL(expr="1 + 2")\nFINAL_RESULT=RESULT(var=SUM)'
export const PICTURE = { base64: PNG.toString('base64'), name: 'blue.png' }
export const RUN = { program: PROGRAM, pictures: [PICTURE] }

export const json = async <T>(response: Response): Promise<T> => (await response.json()) as T

/** A door with a Pupil of its own, without a socket. */
export async function openDoor({
  options = {},
  flags = {},
  change = (pupil: Pupil) => pupil,
}: {
  readonly options?: Partial<DoorOptions>
  readonly flags?: UserConfig
  readonly change?: (pupil: Pupil) => Pupil
} = {}) {
  const home = mkdtempSync(join(tmpdir(), 'pupil-door-'))
  const { config } = await resolveConfig({ env: { PUPIL_HOME: home }, cwd: home, flags })
  const pupil = createPupil(config, { ids: countingIds() })
  const door = createDoor(change(pupil), { hosts: null, ...options })
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    door.handle(new Request(`${ADDRESS}${path}`, init))
  return {
    ...{ pupil, config, door, ask },
    post: (path: string, body: unknown = {}, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    close: async () => {
      await door.close()
      await pupil.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
