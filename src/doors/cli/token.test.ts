import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { commandLine } from '../../../test/e2e/command-line.ts'

const pupil = commandLine('token')
after(() => pupil.remove())

interface Token {
  readonly id: string
  readonly space: string
  readonly scopes: readonly string[]
  readonly budget: Readonly<Record<string, number>>
  readonly revokedAt?: number
}

test('a token is printed alone, listed without its secret, and revoked', async () => {
  const cwd = pupil.folder()
  const here = (words: readonly string[]) => pupil(words, { cwd })
  const made = await here(['token', 'create', 'phone', '--scopes', 'read, run'])
  assert.equal(made.code, 0)
  assert.match(made.out, /^pupil_[\w-]{43}\n$/)
  assert.match(made.err, /shown this once/)
  const other = await here([
    ...['token', 'create', 'ann', '--space', 'ann', '--budget', 'calls=5,money=0.5', '--json'],
  ])
  const { budget, space } = JSON.parse(other.out) as Token
  assert.deepEqual([space, budget], ['ann', { calls: 5, money: 0.5 }])
  const listed = await here(['token', 'list', '--json'])
  const { tokens } = JSON.parse(listed.out) as { tokens: Token[] }
  assert.deepEqual(
    tokens.map(({ scopes }) => scopes),
    [['read', 'run']],
  )
  assert.ok(!listed.out.includes(made.out.trim()))
  const id = tokens[0]?.id ?? ''
  assert.equal((await here(['token', 'revoke', id, '--space', 'ann'])).code, 1)
  assert.equal((await here(['token', 'revoke', id])).out, `Revoked ${id} (phone).\n`)
  assert.equal((await here(['token', 'revoke', id])).code, 1)
  assert.match((await here(['token', 'list'])).out, /revoked/)
})

test('scopes and limits that are none are refused, and nothing beyond this machine without tokens', async () => {
  for (const words of [
    ['token', 'create', 'x', '--scopes', 'read,write'],
    ['token', 'create', 'x', '--budget', 'calls'],
    ['token', 'create', ' '],
  ]) {
    assert.equal((await pupil(words)).code, 2, words.join(' '))
  }
  const open = await pupil(['start', '--host', '0.0.0.0'])
  assert.deepEqual([open.code, /--token/.test(open.err)], [1, true])
})
