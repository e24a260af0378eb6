import type { RunDocument } from '../../app/index.ts'

/** The run as a test to paste into a project: the same program on the same picture gives the same. */
export function testOf(run: RunDocument): string {
  const title = run.instruction === '' ? run.program.split('\n')[0] : run.instruction
  const names = Object.keys(run.inputs).map((name) => `${name.toLowerCase()}.png`)
  const pictures = names.map((name) => JSON.stringify(name)).join(', ')
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { openPupil } from 'pupil'",
    '',
    `// Pictures of ${run.run}, saved beside this file.`,
    `test(${JSON.stringify(title)}, async () => {`,
    '  const pupil = await openPupil()',
    `  const program = ${JSON.stringify(run.program)}`,
    `  const run = await pupil.run([${pictures}], program, { family: ${JSON.stringify(run.family)} })`,
    "  assert.ok(run.outcome.status === 'done')",
    ...(run.answer === undefined
      ? []
      : [`  assert.equal(run.outcome.answer, ${JSON.stringify(run.answer)})`]),
    '  await pupil.close()',
    '})',
    '',
  ].join('\n')
}
