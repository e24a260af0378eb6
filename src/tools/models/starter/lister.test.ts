import assert from 'node:assert/strict'
import { test } from 'node:test'
import { starterBackends } from './starter-backends.ts'

const { backends } = starterBackends()

async function listed(query: string, max = 100): Promise<readonly string[]> {
  const listing = await backends.listers[0]?.list(query, max)
  return listing?.known === true ? listing.text.split('\n') : []
}

test('kinds begin with the names that the models learnt', async () => {
  const vehicles = await listed('kinds of vehicles')
  assert.ok(vehicles.slice(0, 5).includes('bus') || vehicles.slice(0, 40).includes('bus'))
  assert.ok((await listed('kinds of mammals', 12)).every((name) => name.length > 0))
})

test('wider words come nearest first, and of two things those that both share', async () => {
  const [nearest] = await listed('wider words for fox', 1)
  assert.equal(nearest, 'canine')
  const both = await listed('wider words for fox, tiger')
  assert.ok(both.includes('carnivore') && !both.includes('canine'))
})

test('things are listed by a part, and by what glosses say of them', async () => {
  assert.ok((await listed('things with a fingerboard')).includes('violin'))
  assert.ok((await listed('what is nocturnal')).length > 0)
})
