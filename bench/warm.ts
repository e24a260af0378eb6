/**
 * A question in a process that is warm: everything between the picture's bytes and the finished, stored run. And
 * what the HTTP door adds to a request that needs no model.
 *
 * Repeat with: node bench/warm.ts [--rounds 20]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openPupil } from '../src/app/index.ts'
import { createDoor } from '../src/doors/http/index.ts'
import { decodePicture, encodePicture, resizeImage } from '../src/image/index.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const rounds = Number(values.rounds)
const home = mkdtempSync(join(tmpdir(), 'pupil-warm-'))

/** The photograph of the fixtures with 1000 pixels on a side. */
async function picture(): Promise<Uint8Array> {
  const path = fileURLToPath(new URL('../test/fixtures/photos/astronaut.jpg', import.meta.url))
  const { image } = await decodePicture(readFileSync(path))
  const large = await resizeImage(image, { width: 1000, height: 1000 })
  return encodePicture(large, 'jpeg')
}

async function time(name: string, work: () => Promise<unknown>, target: string): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor((rounds - 1) * share)] ?? 0).toFixed(1)
  console.log(`| ${name} | ${at(0)} ms | ${at(0.5)} ms | ${at(0.95)} ms | ${target} |`)
}

const pupil = await openPupil({ env: { PUPIL_HOME: home }, cwd: home })
const door = createDoor(pupil, { hosts: null })
try {
  const bytes = await picture()
  await pupil.ask(bytes, 'How many people are there?')
  console.log('| what | best | median | 95 % | target |')
  console.log('|---|---|---|---|---|')
  // Another picture each time: equal ones are stored once.
  let n = 0
  const ask = (): Promise<unknown> =>
    pupil.ask(Buffer.concat([bytes, Buffer.from(String(n++))]), 'How many people are there?')
  await time('ask, a photograph of 1000 x 1000', ask, '250 ms')
  const get = (path: string) => async (): Promise<void> => {
    await (await door.handle(new Request(`http://127.0.0.1${path}`))).arrayBuffer()
  }
  const [run] = await pupil.runs.list({ limit: 1 })
  await time('GET /health', get('/health'), '2 ms')
  await time('GET /v1/runs/:id', get(`/v1/runs/${run?.id}`), '2 ms')
  await time('GET /v1/runs?limit=20', get('/v1/runs?limit=20'), '2 ms')
} finally {
  await door.close()
  await pupil.close()
  rmSync(home, { recursive: true, force: true })
}
