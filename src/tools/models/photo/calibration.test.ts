import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  absenceConfidence,
  countConfidence,
  likelihood,
  presenceConfidence,
} from './calibration.ts'

test('a find at the threshold is as likely right as wrong, one at 0.45 nearly sure', () => {
  assert.equal(likelihood(0.3), 0.5)
  assert.ok(likelihood(0.45) > 0.85)
  assert.ok(likelihood(0.1) < 0.1)
})

test('confidences lie within 0 and 1, and doubtful candidates lower them', () => {
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 })
  fc.assert(
    fc.property(scores, (list) => {
      for (const sure of [absenceConfidence, countConfidence, presenceConfidence]) {
        assert.ok(sure(list) >= 0 && sure(list) <= 1)
      }
      assert.ok(countConfidence([...list, 0.3]) <= countConfidence(list))
      assert.ok(presenceConfidence([...list, 0.6]) >= presenceConfidence(list))
    }),
  )
})
