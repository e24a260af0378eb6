import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildPassageIndex } from './build.ts'
import type { Passage } from './build.ts'
import { openPassageIndex } from './search.ts'
import { indexWords } from './tokens.ts'
import { VarintWriter, varintReader } from './varint.ts'

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pupil-passages-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const passages: readonly Passage[] = Array.from({ length: 250 }, (_, i) => ({
  text: `passage ${i} tells of ${i % 7 === 0 ? 'herons' : 'gulls'} and number n${i}${i === 99 ? ' and the lighthouse keeper' : ''}`,
  source: `file${i % 10}.txt`,
  offset: i,
}))

test('numbers of any size come back from their bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 31 })), (numbers) => {
      const writer = new VarintWriter()
      for (const one of numbers) writer.push(one)
      const reader = varintReader(writer.bytes())
      assert.deepEqual(
        numbers.map(() => reader.next()),
        numbers,
      )
      assert.ok(reader.done())
    }),
  )
})

test('an index in many segments finds what one in a single segment finds, as BM25 over all passages says', () =>
  inFolder(async (folder) => {
    await buildPassageIndex(join(folder, 'one'), passages)
    await buildPassageIndex(join(folder, 'many'), passages, { segment: 17 })
    const [one, many] = await Promise.all([
      openPassageIndex(join(folder, 'one')),
      openPassageIndex(join(folder, 'many')),
    ])
    for (const query of ['lighthouse keepers', 'heron', 'n123', 'n5 n6 gulls', 'nothing like it']) {
      const [a, b] = [await one.search(query), await many.search(query)]
      assert.deepEqual(a, b, query)
      assert.deepEqual(
        a.map(({ score }) => score.toFixed(9)),
        bruteForce(query).map((score) => score.toFixed(9)),
        query,
      )
    }
    assert.equal((await one.search('lighthouse'))[0]?.passage.offset, 99)
    await Promise.all([one.close(), many.close()])
  }))

/** The best scores of BM25, by reading every passage. */
function bruteForce(query: string): readonly number[] {
  const texts = passages.map(({ text }) => indexWords(text))
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  const asked = [...new Set(indexWords(query))]
  const scores = texts.map((words) =>
    asked.reduce((sum, word) => {
      const n = texts.filter((other) => other.includes(word)).length
      const times = words.filter((one) => one === word).length
      if (times === 0) return sum
      const rarity = Math.log(1 + (texts.length - n + 0.5) / (n + 0.5))
      return sum + (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / mean))
    }, 0),
  )
  return scores
    .filter((score) => score > 0)
    .toSorted((a, b) => b - a)
    .slice(0, 8)
}

test('a build that was stopped goes on after its last whole segment and ends with the same index', () =>
  inFolder(async (folder) => {
    const stop = new AbortController()
    const build = buildPassageIndex(join(folder, 'index'), passages, {
      ...{ segment: 40, signal: stop.signal },
      progress: ({ loaded = 0 }) => (loaded >= 120 ? stop.abort(new Error('enough')) : undefined),
    })
    await assert.rejects(build, /enough/)
    await assert.rejects(openPassageIndex(join(folder, 'index')), { code: 'E_INDEX' })
    const rest = await buildPassageIndex(join(folder, 'index'), passages, { segment: 40 })
    assert.equal(rest.resumedAt, 120)
    assert.equal(rest.passages, 250)
    const index = await openPassageIndex(join(folder, 'index'))
    assert.deepEqual((await index.search('n5'))[0]?.passage, passages[5])
    assert.deepEqual((await index.search('n240'))[0]?.passage, passages[240])
    await index.close()
  }))

test('an index of something else is built anew', () =>
  inFolder(async (folder) => {
    await buildPassageIndex(folder, passages, { of: 'a' })
    const again = await buildPassageIndex(folder, passages.slice(0, 3), { of: 'b' })
    assert.deepEqual(again, { passages: 3, resumedAt: 0 })
    const index = await openPassageIndex(folder)
    assert.equal(index.size, 3)
    assert.deepEqual(await index.search('n99'), [])
    await index.close()
  }))
