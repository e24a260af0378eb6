import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../base/index.ts'
import { fakeSourceServer } from '../../testing/index.ts'
import type { SourceAnswer } from '../../testing/index.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { GuardOptions } from './guarded-fetch.ts'
import { openPage } from './open-page.ts'
import { isPublicAddress } from './public-address.ts'

const userAgent = 'Pupil/0.1 (tests@example.org)'
const resolvedAs =
  (...addresses: readonly string[]): NonNullable<GuardOptions['resolve']> =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const reasonOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fetched',
    (error: { fields?: { reason?: string }; message: string }) =>
      `${error.fields?.reason}: ${error.message}`,
  )

test('private, local, mapped and tunnelled addresses are told from public ones', () => {
  const inside =
    '127.0.0.1 10.0.0.1 172.16.3.4 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1 64:ff9b::a00:1 2002:a00:1:: 192.0.2.1 198.18.0.1 nonsense'
  for (const address of inside.split(' ')) assert.equal(isPublicAddress(address), false, address)
  for (const address of [
    '93.184.216.34',
    '8.8.8.8',
    '2606:2800:220:1:248:1893:25c8:1946',
    '::ffff:8.8.8.8',
  ]) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('nothing is sent to an address inside, by whatever name, nor by another scheme, port or credentials', async () => {
  const fetch = guardedFetch({ userAgent, resolve: resolvedAs('10.0.0.7') })
  const mixed = guardedFetch({ userAgent, resolve: resolvedAs('8.8.8.8', '127.0.0.1') })
  const fine = guardedFetch({ userAgent, resolve: resolvedAs('8.8.8.8') })
  assert.match(
    await reasonOf(fetch('https://evil.example/')),
    /blocked: .*10\.0\.0\.7, no public address/,
  )
  assert.match(await reasonOf(mixed('https://mixed.example/')), /blocked/)
  assert.match(await reasonOf(fine('ftp://a.example/')), /blocked: .*ftp: is not fetched/)
  assert.match(await reasonOf(fine('file:///etc/passwd')), /blocked/)
  assert.match(await reasonOf(fine('https://a.example:8443/')), /blocked: .*port 8443/)
  assert.match(await reasonOf(fine('http://a.example/')), /blocked: .*not https/)
  assert.match(await reasonOf(fine('https://user:secret@a.example/')), /blocked: .*credentials/)
  assert.match(await reasonOf(fine('no address')), /blocked/)
})

test('loopback is refused unless a test says so, also as the target of a redirect', async () => {
  await using server = await fakeSourceServer(({ url }) =>
    url.pathname === '/away'
      ? { status: 302, headers: { location: 'http://10.1.2.3/secret' } }
      : url.pathname === '/loop'
        ? { status: 302, headers: { location: '/loop' } }
        : url.pathname === '/on'
          ? { status: 301, headers: { location: '/end' } }
          : { body: 'here' },
  )
  const strict = guardedFetch({ userAgent })
  assert.match(await reasonOf(strict(`${server.url}/end`)), /^blocked/)
  assert.equal(server.requests.length, 0)
  const open = guardedFetch({ userAgent, allowLoopback: true })
  assert.match(await reasonOf(open(`${server.url}/away`)), /blocked: .*(?:10\.1\.2\.3|not https)/)
  assert.match(await reasonOf(open(`${server.url}/loop`)), /blocked: .*more than 3 times/)
  const reply = await open(`${server.url}/on`)
  assert.equal(Buffer.from(reply.body).toString(), 'here')
  assert.equal(reply.url, `${server.url}/end`)
  assert.equal(server.requests[0]?.headers['user-agent'], userAgent)
})

test('the connection goes to the address that was checked, whatever the name says', async () => {
  await using server = await fakeSourceServer(() => ({ body: 'pinned' }))
  const asked: string[] = []
  const fetch = guardedFetch({
    ...{ userAgent, allowLoopback: true },
    resolve: async (host) => {
      asked.push(host)
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  const { port } = new URL(server.url)
  const reply = await fetch(`http://does-not-exist.invalid:${port}/`)
  assert.equal(Buffer.from(reply.body).toString(), 'pinned')
  assert.deepEqual(asked, ['does-not-exist.invalid'])
})

test('what is too large, packed small or not, cut off, or cancelled, ends the fetch with its name', async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000))
  await using server = await fakeSourceServer(({ url }) => {
    switch (url.pathname) {
      case '/large':
        return { body: 'x'.repeat(200_000) }
      case '/bomb':
        return { body: bomb, headers: { 'content-encoding': 'gzip' } }
      case '/cut':
        return { body: 'x'.repeat(5000), cutAt: 100 }
      default:
        return { hang: true }
    }
  })
  const fetch = guardedFetch({ userAgent, allowLoopback: true, maxBytes: 100_000 })
  assert.match(await reasonOf(fetch(`${server.url}/large`)), /^too-large/)
  assert.match(await reasonOf(fetch(`${server.url}/bomb`)), /^too-large/)
  assert.match(await reasonOf(fetch(`${server.url}/cut`)), /^network/)
  const stop = new AbortController()
  const hanging = fetch(`${server.url}/hang`, { signal: stop.signal })
  stop.abort(new Error('no more'))
  await assert.rejects(hanging, /no more/)
})

const PAGE = `<html><head><title>Arc X — Facts</title><meta property="article:published_time" content="2021-05-04T00:00:00Z"></head><body>
<nav>Home About</nav><script>var hidden = 'SCRIPT'</script><div style="display:none">HIDDEN orders</div>
<article><h1>Arc X</h1><p>${'Arc X is a large arch in the middle of the town, built of pale stone by masons. '.repeat(6)}</p>
<p>Arc X commemorates the peace of 1815. It is 42 metres high.</p></article></body></html>`

test('a page is read as text: what is hidden, run or menu is left out; robots rules are kept', async () => {
  await using server = await fakeSourceServer(({ url }): SourceAnswer | undefined => {
    switch (url.pathname) {
      case '/robots.txt':
        return {
          body: 'User-agent: *\nDisallow: /private\nAllow: /private/open',
          headers: { 'content-type': 'text/plain' },
        }
      case '/arc':
        return { body: PAGE }
      case '/empty':
        return { body: '<html><body></body></html>' }
      case '/picture':
        return { body: 'xx', headers: { 'content-type': 'image/png' } }
      case '/busy':
        return { status: 429, headers: { 'retry-after': '7' } }
      case '/broken':
        return { status: 500 }
      default:
        return undefined
    }
  })
  const source = openPage({ fetch: guardedFetch({ userAgent, allowLoopback: true }) })
  const read = (path: string) =>
    source.call({ url: `${server.url}${path}` }, { clock: systemClock })
  const { entries = [] } = await read('/arc')
  const text = entries.map((one) => one.text).join('\n')
  assert.match(text, /commemorates the peace of 1815/)
  assert.doesNotMatch(text, /HIDDEN|SCRIPT/)
  assert.equal(entries[0]?.date, '2021-05-04')
  assert.deepEqual((await read('/empty')).entries, [])
  assert.match(await reasonOf(read('/private/x')), /^blocked: .*robots/)
  assert.match(await reasonOf(read('/picture')), /^bad-response: .*image\/png/)
  assert.match(await reasonOf(read('/broken')), /^server/)
  const busy = await read('/busy').catch((error: { retryAfter?: number }) => error.retryAfter)
  assert.equal(busy, 7000)
  assert.equal(server.requests.filter(({ url }) => url.pathname === '/robots.txt').length, 1)
})
