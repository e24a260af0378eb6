import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figureRows } from './figures.ts'
import { reportSvg } from './report-svg.ts'
import { reportTable } from './report-table.ts'
import type { TaskOutcome } from './task-outcome.ts'

const right: TaskOutcome = {
  ...{ id: 'a', family: 'gqa', type: 'exist', concept: 'known', wording: 'train', seed: 0 },
  ...{ strict: true, byClass: true, fallback: false, samePlan: true, ms: 1 },
}
const wrong: TaskOutcome = { ...right, strict: false, error: 'T_UNAVAILABLE' }

test('accuracy is the share of right tasks, with its interval, by seed and by wording', () => {
  const held = { ...wrong, wording: 'held-out', seed: 1, fallback: true } as const
  const [all, train, heldOut] = figureRows([right, right, right, held])
  assert.ok(all && train && heldOut)
  assert.equal(all.strict.value, 0.75)
  assert.deepEqual(all.strict.bySeed, [1, 0])
  assert.ok(all.strict.interval[0] < 0.75 && all.strict.interval[1] === 1)
  assert.deepEqual([all.errors, all.fallbacks, all.samePlans], [1, 1, 4])
  assert.deepEqual([train.strict.value, heldOut.strict.value], [1, 0])
})

test('tags are counted over all pictures: 4 expected, 3 given, 2 matched give 0.571 (L8)', () => {
  const tally = { hits: 2, misses: 2, surplus: 1 }
  const none = { hits: 0, misses: 0, surplus: 0 }
  const tagged = (counts: typeof tally): TaskOutcome => ({
    ...{ ...right, family: 'tagging' },
    tags: { strict: counts, byClass: counts, located: counts },
  })
  const [row] = figureRows([tagged(tally), tagged(none)])
  assert.equal(row?.metric, 'F1')
  assert.equal(row?.strict.value.toFixed(3), '0.571')
  assert.equal(figureRows([tagged(none)])[0]?.strict.value, 1)
})

test('known and new concepts are rows apart, in the table and as bars', () => {
  const rows = figureRows([right, { ...wrong, concept: 'new' }])
  assert.deepEqual(
    rows.map(({ concept, strict }) => [concept, strict.value]),
    [
      ['known', 1],
      ['new', 0],
    ],
  )
  assert.equal(reportTable(rows).split('\n').length, 4)
  const svg = reportSvg(rows, 'a < b')
  assert.match(svg, /a &lt; b/)
  assert.equal(svg.match(/<rect x=/g)?.length, 2)
})
