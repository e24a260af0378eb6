import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('..', import.meta.url)
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((path) => /\.(ts|tsx|js|mjs|py)$/.test(path))

const read = (path: string): string => {
  try {
    return readFileSync(new URL(path, root), 'utf8')
  } catch {
    return '' // deleted but not yet committed
  }
}

test('only the final loader names the final packages (W16)', () => {
  // Put together here, so that this file does not name them either.
  const names = [['open', 'moji'].join(''), ['emojione', 'v1'].join('-')]
  const allowed = new Set(['world/final/final-packages.ts'])
  const found = files.filter(
    (path) => !allowed.has(path) && names.some((name) => read(path).toLowerCase().includes(name)),
  )
  assert.deepEqual(found, [])
})

test('only the final bench imports the final loader (W16)', () => {
  const found = files.filter(
    (path) =>
      path !== 'bench/world-final.ts' &&
      !path.startsWith('world/final/') &&
      /from '[^']*final\/(load-final|final-packages)\.ts'/.test(read(path)),
  )
  assert.deepEqual(found, [])
})

test('no tool, agent, tuner or validation imports the judge (W16)', () => {
  const found = files.filter(
    (path) =>
      path.startsWith('src/') &&
      !path.startsWith('src/evaluate/') &&
      !path.startsWith('src/app/') &&
      /judge\//.test(
        read(path)
          .match(/from '[^']*'/g)
          ?.join('\n') ?? '',
      ),
  )
  assert.deepEqual(found, [])
})

test('only the judge itself names the files of the judge (W16)', () => {
  const found = files.filter(
    (path) =>
      path.startsWith('src/') && /models\/starter\/judge|starter\/judge\/|'judge'/.test(read(path)),
  )
  assert.deepEqual(found, [])
})

test('only evaluation opens the judge (W16)', () => {
  const allowed = ['src/app/eval-jobs.ts', 'world/index.ts', 'world/judge/shipped-judge.ts']
  const found = files.filter(
    (path) =>
      !path.startsWith('bench/') && !allowed.includes(path) && /\bopenJudge\b/.test(read(path)),
  )
  assert.deepEqual(found, [])
})
