import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readConcepts } from './concepts.ts'
import { knownNames, KNOWN_NAMES } from './concepts/known-names.ts'
import { worldDemonstrations } from './demonstrations.ts'

test('the names of the starter tools are those of the known concepts, as "npm run world:names" writes them', async () => {
  assert.deepEqual(JSON.parse(await readFile(KNOWN_NAMES, 'utf8')), await knownNames())
})

test('neither the names nor the demonstrations hold a new concept (W17)', async () => {
  const fresh = (await readConcepts()).filter(({ split }) => split === 'new')
  const { names } = (await knownNames()) as {
    names: readonly { label: string; plural: string; synonyms: readonly string[] }[]
  }
  // Instructions may say "label" as a verb; programs name things only.
  const texts = [
    ...names.flatMap(({ label, plural, synonyms }) => [label, plural, ...synonyms]),
    ...worldDemonstrations().map(({ program }) => program),
  ].join('\n')
  // "bat" stands in "baseball bat": whole names only, not parts of longer ones that are known.
  const known = (await readConcepts()).filter(({ split }) => split === 'known')
  const longer = known.flatMap(({ label, plural, synonyms }) => [label, plural, ...synonyms])
  const found = fresh.flatMap(({ label }) => {
    const within = longer.filter((name) => name !== label && name.split(/[ -]/).includes(label))
    if (within.length > 0) return []
    return new RegExp(`\\b${label}\\b`, 'i').test(texts) ? [label] : []
  })
  assert.deepEqual(found, [])
})
