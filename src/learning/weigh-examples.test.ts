import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../base/index.ts'
import { solidImage } from '../image/index.ts'
import type { Image } from '../image/index.ts'
import type { Exemplar, Lesson } from '../memory/index.ts'
import { taughtOf } from './taught-of.ts'
import type { TuningExample } from './tuning/tuning.ts'
import { weighExamples } from './weigh-examples.ts'
import type { WeighParts } from './weigh-examples.ts'

const clock: Clock = { now: () => 5, tick: () => 0, sleep: () => new Promise(() => {}) }
const lesson = { id: 'l1', concept: 'gizmo' } as Lesson & { readonly concept: string }
const shade = (red: number, blue: number): Image =>
  solidImage({ width: 8, height: 8 }, [red, 20, blue])
const featureOf = ({ data }: Image): Float32Array => {
  const [red = 0, green = 0, blue = 0] = data
  const length = Math.hypot(red, green, blue)
  return Float32Array.of(red / length, green / length, blue / length)
}
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

/** A tool that fits a region as well as the nearest example, less the nearest counter-example. */
const parts: WeighParts = {
  clock,
  things: { name: 'colour', embed: async (image) => featureOf(image) },
  memoryWith: async (all) => ({ taught: taughtOf(all, []), people: [] }),
  fits:
    ({ taught }) =>
    async (image, _, concept) => {
      const all = taught.things.get(concept) ?? []
      const nearest = (is: boolean): number =>
        Math.max(
          0,
          ...all
            .filter(({ positive }) => positive === is)
            .map(({ feature }) => dot(feature, featureOf(image))),
        )
      return nearest(true) - nearest(false)
    },
}

const own: Exemplar = {
  ...{ id: 'e1', kind: 'thing', concept: 'gizmo', positive: true, encoder: 'colour' },
  ...{ feature: featureOf(shade(250, 90)), picture: shade(250, 90).hash, lesson: 'l1' },
  ...{ author: 'me', createdAt: 1 },
}
const found = (red: number, blue: number, positive: boolean): TuningExample => ({
  ...{ image: shade(red, blue), positive, name: positive ? 'gizmo' : 'other' },
})
const mine = { ...found(250, 90, true) }
const good = [
  found(240, 60, true),
  found(245, 70, true),
  found(20, 250, false),
  found(40, 240, false),
]

test('gathered pictures that tell the concept better act as examples, others of them as counter-examples', async () => {
  const {
    exemplars,
    gathered,
    own: alone,
  } = await weighExamples(lesson, [own], [mine, ...good], parts)
  assert.deepEqual(
    exemplars.map(({ positive }) => positive),
    [true, true, false, false],
  )
  assert.ok(gathered >= alone)
  assert.ok(exemplars.every(({ author }) => author === 'gathered'))
})

test('a wrong picture among those found is set apart', async () => {
  const wrong = found(15, 245, true)
  const weighed = await weighExamples(lesson, [own], [mine, ...good, wrong], parts)
  assert.equal(weighed.strange, 1)
  assert.ok(weighed.exemplars.every(({ picture }) => picture !== wrong.image.hash))
  const all = await weighExamples(lesson, [own], [mine, ...good, wrong], parts, { validate: false })
  assert.ok(all.exemplars.some(({ picture }) => picture === wrong.image.hash))
})

test('pictures that mislead are not kept', async () => {
  const misled = [
    found(30, 250, true),
    found(35, 240, true),
    found(250, 80, false),
    found(245, 95, false),
  ]
  const { exemplars } = await weighExamples(lesson, [own], [mine, ...misled], parts)
  assert.deepEqual(exemplars, [])
})
