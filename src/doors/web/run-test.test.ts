import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Script } from 'node:vm'
import type { RunDocument } from '../../app/index.ts'
import { testOf } from './run-test.ts'

const run = {
  ...{ run: 'run_1', family: 'gqa', instruction: 'Is "it" a `cup`? ${no}' },
  ...{ program: "B0=LOC(image=IMAGE,object='cup')\nR=RESULT(var=B0)", answer: "it's" },
  inputs: { IMAGE: {} },
} as unknown as RunDocument

test('the copied test is a program, whatever was asked and answered', () => {
  const text = testOf(run)
  // Imports become nothing here: only the form is checked.
  new Script(text.replaceAll(/^import .*$/gm, ''))
  assert.ok(text.includes(JSON.stringify(run.program)))
  assert.ok(text.includes(JSON.stringify(run.answer)))
})
