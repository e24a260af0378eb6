import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../../base/index.ts'
import { memoryDemonstrations, startDemonstrations } from '../../../memory/index.ts'
import { FAMILIES } from '../../../program/index.ts'
import type { Family } from '../../../program/index.ts'
import { SIGNATURES } from '../../../tools/index.ts'
import type { HeldOutCase } from './held-out.ts'
import { heldOutCases, sameMeaning } from './held-out.ts'
import { createAnalogyPlanner } from './planner.ts'

const families: Readonly<Record<string, Family>> = FAMILIES
const demonstrations = startDemonstrations()
const planner = createAnalogyPlanner({
  pool: memoryDemonstrations(demonstrations),
  signatures: SIGNATURES,
})

async function best({ family, instruction }: Pick<HeldOutCase, 'family' | 'instruction'>) {
  const known = families[family]
  assert.ok(known)
  try {
    return (await planner.plan({ family: known, instruction }))[0]?.program
  } catch (error) {
    if (isFault(error) && error.code === 'E_NOT_UNDERSTOOD') return undefined
    throw error
  }
}

/** Share of right answers below which something was broken. */
const FLOOR = 0.95

test('no held-out instruction is a demonstration', () => {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  const known = new Set(demonstrations.map(({ instruction }) => plain(instruction)))
  assert.deepEqual(
    heldOutCases().filter(({ instruction }) => known.has(plain(instruction))),
    [],
  )
})

for (const family of Object.keys(FAMILIES).filter((name) => name !== 'open')) {
  test(`${family}: at least ${FLOOR * 100} % of the held-out rewordings get the right program`, async () => {
    const cases = heldOutCases().filter((one) => one.family === family)
    const wrong: string[] = []
    for (const one of cases) {
      const program = await best(one)
      const isRight =
        one.refuse === true
          ? program === undefined
          : program !== undefined && one.accept?.some((text) => sameMeaning(text, program)) === true
      if (!isRight) wrong.push(`${one.instruction} -> ${program ?? 'refused'}`)
    }
    assert.ok(1 - wrong.length / cases.length >= FLOOR, wrong.join('\n'))
  })
}

test('every right demonstration is understood as it was meant', async () => {
  for (const one of demonstrations.filter(({ verdict }) => verdict === 'right')) {
    const program = await best(one)
    assert.ok(program !== undefined && sameMeaning(program, one.program ?? ''), one.instruction)
  }
})

test('programs that differ in meaning are told apart', () => {
  const program = (op: string, object = 'dog'): string =>
    `A=LOC(image=IMAGE,object='${object}')\nB=COUNT(box=A)\nC=EVAL(expr='{B} ${op} 2')\nR=RESULT(var=C)`
  assert.ok(sameMeaning(program('>'), program('>').replace(/\bA\b/g, 'X')))
  assert.ok(!sameMeaning(program('>'), program('>=')))
  assert.ok(!sameMeaning(program('>'), program('>', 'cat')))
})
