import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { normaliseName } from '../src/tools/index.ts'
import { readClasses, readConcepts } from './concepts.ts'
import { openLexicon } from './lexicon.ts'
import { checkMapped } from './sprites/build-sprites.ts'
import { findDrawings } from './sprites/find-drawings.ts'
import { loadSprites } from './sprites/load-sprites.ts'
import { DRAWING_PACKAGES } from './sprites/packages.ts'
import { DISPUTED_BY_USAGE } from './usage.ts'

const concepts = await readConcepts()
const lexicon = await openLexicon()
const splits = JSON.parse(await readFile(new URL('splits.json', import.meta.url), 'utf8')) as {
  readonly new: readonly string[]
}

test('exactly the hundred concepts of the fixed list are new', () => {
  const marked = concepts.flatMap(({ label, split }) => (split === 'new' ? [label] : []))
  assert.equal(splits.new.length, 100)
  assert.deepEqual(marked.toSorted(), splits.new.toSorted())
})

test('no name of a new concept is a name of a known one (W17)', () => {
  const known = new Set(
    concepts.flatMap(({ split, label, plural, synonyms }) =>
      split === 'known' ? [label, plural, ...synonyms].map(normaliseName) : [],
    ),
  )
  for (const { split, label, plural, synonyms } of concepts) {
    if (split === 'known') continue
    for (const name of [label, plural, ...synonyms]) {
      assert.ok(!known.has(normaliseName(name)), `${name} of the new ${label} is known`)
    }
  }
})

test('every new concept has a known sibling in WordNet or in its group', () => {
  for (const one of concepts.filter(({ split }) => split === 'new')) {
    const siblings = concepts.filter(
      (other) => other.split === 'known' && other.group === one.group,
    )
    const classes = lexicon.classesOf(one.id)
    const near = classes.some(({ members }) =>
      [...members].some((id) => lexicon.concept(id).split === 'known'),
    )
    assert.ok(near || siblings.length > 0, one.label)
  }
})

test('ids, members of classes and what drawings contain are concepts', () => {
  const ids = new Set(concepts.map(({ id }) => id))
  assert.equal(ids.size, concepts.length)
  for (const { id, contains } of concepts) for (const one of contains) assert.ok(ids.has(one), id)
})

test('classes and disputes name concepts and classes that exist', async () => {
  const ids = new Set(concepts.map(({ id }) => id))
  const classes = await readClasses()
  for (const { members, label } of classes) {
    for (const id of members) assert.ok(ids.has(id), `${id} of ${label}`)
  }
  for (const [label, disputed] of Object.entries(DISPUTED_BY_USAGE)) {
    assert.ok(
      classes.some((one) => one.label === label),
      label,
    )
    for (const id of disputed) assert.ok(ids.has(id), `${id} of ${label}`)
  }
})

test('every package still maps the drawings that were recorded, and each new concept four designers', async () => {
  const designers = new Map<string, Set<string>>()
  for (const source of DRAWING_PACKAGES) {
    const drawings = await findDrawings(source, concepts)
    checkMapped(source, drawings.length)
    if (source.role !== 'train') continue
    for (const { concept } of drawings) {
      designers.set(concept, (designers.get(concept) ?? new Set()).add(source.designer))
    }
  }
  for (const { id, split } of concepts) {
    if (split === 'new') assert.ok((designers.get(id)?.size ?? 0) >= 3, id)
  }
})

test('a build that maps fewer drawings fails', () => {
  const [source] = DRAWING_PACKAGES
  assert.ok(source !== undefined)
  assert.throws(() => checkMapped(source, source.mapped - 1), { code: 'E_DRAWINGS' })
})

test('the Fluent variants are one designer, everything else its own', () => {
  const fluent = DRAWING_PACKAGES.filter(({ designer }) => designer === 'fluent')
  assert.deepEqual(
    fluent.map(({ style }) => style),
    ['fluent-flat', 'fluent-3d'],
  )
  assert.equal(new Set(DRAWING_PACKAGES.map(({ designer }) => designer)).size, 6)
})

test('a final style is not opened by the common loader', async () => {
  await assert.rejects(loadSprites(['final-a'], 'nowhere'), { code: 'E_STYLE' })
})
