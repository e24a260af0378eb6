import assert from 'node:assert/strict'
import { test } from 'node:test'
import { golden } from './golden.cases.ts'
import { asFloat, dict, isDict, plainOf } from './python-value.ts'
import { pythonJson, pythonRepr } from './python-write.ts'
import { numpyRound2, pythonStrip, round2 } from './python-round.ts'
import { readPython } from './python-read.ts'

test('repr is Python’s, row by row', () => {
  for (const { json, repr } of golden.python_repr) {
    assert.equal(pythonRepr(readPython(json)), repr, json)
  }
})

test('round(x, 2) is Python’s, row by row', () => {
  for (const { json, repr } of golden.python_round2) {
    const value = readPython(json)
    assert.equal(pythonRepr(typeof value === 'number' ? round2(value) : value), repr, json)
  }
})

test('numpy rounds a drawn box otherwise', () => {
  assert.deepEqual([numpyRound2(0.165), round2(0.165)], [0.16, 0.17])
})

test('strip takes Python’s blanks and no other', () => {
  for (const { text, strip } of golden.python_strip) assert.equal(pythonStrip(text), strip)
})

test('what was written is read back with the spelling of its numbers', () => {
  const text = '{"a": [1, 1.0, -0.0, 1e-05, 12345678901234567890], "__proto__": "\\u00e9"}'
  assert.equal(pythonJson(readPython(text)), text)
  const plain = plainOf(readPython(text)) as Record<string, unknown>
  assert.deepEqual(Object.keys(plain), ['a', '__proto__'])
})

test('a Python literal is read only when asked for', () => {
  const text = "[{'a': True, 'b': None, 'c': \"it's\", }]"
  assert.throws(() => readPython(text), /Expected a key in quotes at 2/)
  const value = readPython(text, { as: 'literal' })
  assert.equal(pythonJson(value), '[{"a": true, "b": null, "c": "it\'s"}]')
})

test('what is nested too deep, cut or followed by more is refused with its place', () => {
  assert.throws(() => readPython('['.repeat(5000)), /at most 200 levels/)
  assert.throws(() => readPython('[1, 2'), /Expected "," or "]" at 5 but got nothing more/)
  assert.throws(() => readPython('[] x'), /Expected the end at 3/)
  assert.throws(() => readPython('"a\nb"'), /control character/)
})

test('plain values become Python’s, floats where they are marked', () => {
  const value = dict({ a: 1, b: asFloat(1), c: [0.5, 'x'] })
  assert.ok(isDict(value))
  assert.equal(pythonJson(value), '{"a": 1, "b": 1.0, "c": [0.5, "x"]}')
})
