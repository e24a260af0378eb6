import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createPupil, resolveConfig } from '../../app/index.ts'
import type { Pupil } from '../../app/index.ts'
import { countingIds } from '../../base/index.ts'
import { encodePicture, solidImage } from '../../image/index.ts'
import { createDoor } from './door.ts'

export const PNG = Buffer.from(
  await encodePicture(solidImage({ width: 100, height: 80 }, [9, 90, 200]), 'png'),
)
export const DATA = `data:image/png;base64,${PNG.toString('base64')}`

/** Instructions that are answered by what was taught, without any vision model. */
export const TAUGHT = [
  ['gqa', 'What is one and two?', 'A=EVAL(expr="1 + 2")\nFINAL_RESULT=RESULT(var=A)'],
] as const

/** A door on a loopback address with a Pupil of its own. */
export async function openChatDoor({
  limits = {},
  change = (pupil: Pupil) => pupil,
  env = {},
  models = {},
}: {
  readonly limits?: object
  readonly change?: (pupil: Pupil) => Pupil
  readonly env?: Readonly<Record<string, string>>
  readonly models?: object
} = {}) {
  const home = mkdtempSync(join(tmpdir(), 'pupil-chat-'))
  const variables = { PUPIL_HOME: home, ...env }
  const { config } = await resolveConfig({ env: variables, cwd: home, flags: { limits, models } })
  const pupil = createPupil(config, { ids: countingIds(), env: variables })
  for (const [family, instruction, program] of TAUGHT)
    await pupil.demonstrations.add({ family, instruction, program })
  let handle = (_request: Request): Promise<Response> => Promise.reject(new TypeError('not yet'))
  const server = createServer(getRequestListener((request) => handle(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const host = `127.0.0.1:${port}`
  const door = createDoor(change(pupil), { hosts: [host] })
  handle = door.handle
  return {
    ...{ pupil, address: `http://${host}` },
    close: async () => {
      server.close()
      await door.close()
      server.closeAllConnections()
      await pupil.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
