import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS } from './commands.ts'
import { oneOf } from './world.ts'

test('an option that allows a few words names them when another comes', () => {
  assert.equal(oneOf(undefined, 'style', ['noto', 'twemoji'], 'twemoji'), 'twemoji')
  assert.equal(oneOf('noto', 'style', ['noto', 'twemoji'], 'twemoji'), 'noto')
  assert.throws(
    () => oneOf('nope', 'style', ['noto', 'twemoji'], 'twemoji'),
    /Expected one of noto, twemoji for --style but got "nope" \(text\)\./,
  )
})

test('the picture world offers scenes, tasks, pictures and counts, each with examples', () => {
  const world = COMMANDS.find(({ name }) => name === 'world')
  const names = world?.commands?.map(({ name }) => name)
  assert.deepEqual(names, ['scene', 'tasks', 'pictures', 'stats'])
  assert.ok(world?.commands?.every(({ examples }) => examples.length > 0))
})
