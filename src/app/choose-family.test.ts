import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryDemonstrations, startDemonstrations } from '../memory/index.ts'
import { chooseFamily } from './choose-family.ts'
import type { Parts } from './parts.ts'

const pool = memoryDemonstrations(startDemonstrations())
const parts = { pool: async () => pool } as unknown as Parts

const SAID: readonly (readonly [instruction: string, family: string])[] = [
  ['How many people are there?', 'gqa'],
  ['Is there a dog to the left of the car?', 'gqa'],
  ['What colour is the bus?', 'gqa'],
  ['What does the sign say?', 'gqa'],
  ['Blur the background except the dog', 'imgedit'],
  ['Make everything grey but the red car', 'imgedit'],
  ['Hide every face with a smiling emoji', 'imgedit'],
  ['Tag every person', 'tagging'],
  ['Label the cups and the bottles', 'tagging'],
  ['Please blur all but the horse', 'imgedit'],
]
for (const [instruction, family] of SAID) {
  test(`"${instruction}" is a task of ${family}`, async () => {
    const request = { family: 'auto', instruction, pictures: ['a.jpg'] }
    assert.equal(await chooseFamily(request, parts), family)
  })
}

test('two pictures are compared, a program is run as it is', async () => {
  const both = { family: 'auto', instruction: 'Tag every person', pictures: ['a.jpg', 'b.jpg'] }
  assert.equal(await chooseFamily(both, parts), 'nlvr')
  assert.equal(await chooseFamily({ ...both, program: 'A=SEG(image=IMAGE)' }, parts), 'open')
})
