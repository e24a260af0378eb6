import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DRAWING_PACKAGES, miniSprites } from '../../world/index.ts'
import { writeSprites } from '../../world/sprites/sprite-file.ts'
import { evaluateWorld } from './eval-desk.ts'
import { resolveConfig } from './config.ts'

const folder = await mkdtemp(join(tmpdir(), 'pupil-eval-'))
after(() => rm(folder, { recursive: true }))
const { config } = await resolveConfig({
  ...{ cwd: folder, env: {} },
  flags: { profile: 'starter', data: folder, cache: join(folder, 'cache') },
})

// The mini set in the place of the whole styles, which take ten seconds each to build.
const mini = await miniSprites()
await mkdir(join(folder, 'cache', 'world'), { recursive: true })
for (const { style, version } of DRAWING_PACKAGES) {
  const path = join(folder, 'cache', 'world', `sprites-${style}-${version}-1.bin`)
  await writeFile(path, writeSprites(mini.map((sprite) => ({ ...sprite, style }))))
}

/** Refusals that a small system may give; anything else is a fault of ours. */
const HONEST = ['E_NOT_UNDERSTOOD', 'T_UNAVAILABLE', 'T_EMPTY', 'X_INDEX']

test('the frozen system works on every family with the shipped weights', async () => {
  const small = { threads: 0, seeds: 1, limit: 3, split: 'known', baseline: false } as const
  const { rows, errors, outcomes, fitness, svg, table } = await evaluateWorld(config, {}, small)
  assert.deepEqual(
    rows.filter(({ wording }) => wording === 'all').map(({ family, n }) => [family, n]),
    ['gqa', 'nlvr', 'imgedit', 'tagging', 'knowledge'].map((family) => [family, 3]),
  )
  const ours = Object.keys(errors).filter((code) => !HONEST.includes(code))
  assert.deepEqual(ours, [], JSON.stringify(errors))
  const right = outcomes.filter(({ strict }) => strict).length
  assert.ok(right >= 2, `${right} of ${outcomes.length} right`)
  assert.deepEqual(
    fitness.map(({ split, cases }) => [split, cases > 0]),
    [['known', true]],
    'edits come with the fitness of their judge',
  )
  assert.match(table, /\| gqa \| known \| all \| 3 \| accuracy \|/)
  assert.match(svg, /^<svg /)
  await assert.rejects(evaluateWorld(config, {}, { ...small, tasks: ['ask' as 'vqa'] }), {
    code: 'E_ARGUMENT',
  })
})
