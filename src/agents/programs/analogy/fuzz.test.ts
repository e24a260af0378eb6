import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFault } from '../../../base/index.ts'
import { memoryDemonstrations, startDemonstrations } from '../../../memory/index.ts'
import { check, FAMILIES, mayRun, parse, print } from '../../../program/index.ts'
import { SIGNATURES } from '../../../tools/index.ts'
import { createAnalogyPlanner } from './planner.ts'

const start = startDemonstrations()
const planner = createAnalogyPlanner({ pool: memoryDemonstrations(start), signatures: SIGNATURES })
const vocabulary = [...new Set(start.flatMap(({ instruction }) => instruction.split(' ')))]
const families = [FAMILIES.gqa, FAMILIES.nlvr, FAMILIES.imgedit, FAMILIES.tagging]

/** Our own instructions with words left out, put in, or exchanged; and any text at all. */
const instruction = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...start),
      fc.array(fc.constantFrom(...vocabulary), { maxLength: 4 }),
      fc.nat(),
    )
    .map(([one, more, at]) => {
      const words = one.instruction.split(' ')
      words.splice(at % words.length, more.length % 3, ...more)
      return words.join(' ')
    }),
  fc.array(fc.constantFrom(...vocabulary), { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 80 }),
)

test('whatever is asked, the answer is a program that may run in canonical form, or a refusal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...families), instruction, async (family, text) => {
      try {
        for (const { program, confidence } of await planner.plan({ family, instruction: text })) {
          const tree = parse(program)
          assert.ok(mayRun(check(tree, { family, signatures: SIGNATURES })), program)
          assert.equal(print(tree), program)
          assert.ok(confidence > 0.4 && confidence <= 1)
        }
      } catch (error) {
        if (!isFault(error) || error.code !== 'E_NOT_UNDERSTOOD') throw error
      }
    }),
    { numRuns: 400, seed: 7 },
  )
})
