import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fixtureImage, fixtureObject } from './fixtures.ts'
import { imageRefs, valueFromJson, valueToJson } from './value-json.ts'
import type { ValueJson } from './value-json.ts'
import type { Value } from './value.ts'

const image = fixtureImage('photo')
const object = { ...fixtureObject('a', image), mask: { size: [80, 100], counts: [8000] } } as const
const through = (value: Value): Promise<Value> =>
  valueFromJson(JSON.parse(JSON.stringify(valueToJson(value))) as ValueJson, {
    image: () => ({ ...image, frame: fixtureImage('another').frame }),
  })

describe('values as JSON', () => {
  it('come back equal and frozen', async () => {
    for (const value of ['a', 1.5, true, null, [object], ['a', [1, null]]] as const) {
      assert.deepEqual(await through(value), value)
    }
    const [back] = (await through([object])) as readonly (typeof object)[]
    assert.ok(
      Object.isFrozen(back) && Object.isFrozen(back?.box) && Object.isFrozen(back?.mask?.counts),
    )
  })

  it('hold pictures by reference, and give them their own frame back', async () => {
    const crop = { ...image, parent: 'p', tags: [object] }
    const json = valueToJson(crop)
    assert.ok(!JSON.stringify(json).includes('"data"'))
    assert.deepEqual(await through(crop), crop)
    assert.deepEqual(
      imageRefs([json, json]).map((ref) => ref.hash),
      [image.hash],
    )
  })
})
