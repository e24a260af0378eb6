import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../../base/index.ts'
import { solidImage } from '../../image/index.ts'
import { fakeClock, fakeSourceServer } from '../../testing/index.ts'
import type { SourceAnswer, SourceRequest } from '../../testing/index.ts'
import { cloudVision, serpapiLens } from './image-search.ts'
import { kiwix } from './kiwix.ts'
import { commons, openverse, searxngPictures } from './picture-sources.ts'
import { faultReason } from './provider.ts'
import type { SourceProvider } from './provider.ts'
import { brave, searxng } from './web-search.ts'
import { wikidata, wikipedia } from './wikimedia.ts'

const clock = () => fakeClock({ jump: true, now: Date.UTC(2026, 0, 1) })
const picture = solidImage({ width: 40, height: 30 }, [10, 200, 30])

/** A service of each kind, pointed at a server of ours. */
const SERVICES: Readonly<Record<string, (url: string) => SourceProvider>> = {
  searxng: (url) => searxng({ url, clock: clock() }),
  brave: (url) => brave({ url, key: 'SECRET-KEY', clock: clock() }),
  wikipedia: (url) =>
    wikipedia({ contact: 'me@example.org', clock: clock(), bases: { wikipedia: url } }),
  wikidata: (url) =>
    wikidata({ contact: 'me@example.org', clock: clock(), bases: { wikidata: url } }),
  kiwix: (url) => kiwix({ url, clock: clock() }),
  vision: (url) => cloudVision({ url, key: 'SECRET-KEY', clock: clock() }),
  lens: (url) =>
    serpapiLens({
      url,
      key: 'SECRET-KEY',
      clock: clock(),
      publicUrl: () => 'https://pictures.example/a.jpg',
    }),
}

const KEYED = new Set(['brave', 'vision', 'lens'])

async function ask(
  name: string,
  answer: (request: SourceRequest, count: number) => SourceAnswer | undefined,
  signal?: AbortSignal,
) {
  await using server = await fakeSourceServer(answer)
  const provider = SERVICES[name]?.(server.url)
  assert.ok(provider)
  try {
    const args = { picture, q: 'Torre Picasso elevators', subject: 'Torre Picasso' }
    const output = await provider.call(args, { clock: clock(), signal })
    return { output, requests: server.requests }
  } catch (error) {
    return { error, requests: server.requests }
  }
}

for (const name of Object.keys(SERVICES)) {
  test(`${name}: every way of failing has its name, and no key is in any of them`, async () => {
    const failures: readonly (readonly [SourceAnswer, readonly string[]])[] = [
      [{ status: 429, headers: { 'retry-after': '3' } }, ['rate-limited']],
      [
        { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' } },
        ['rate-limited'],
      ],
      [{ status: 500, body: KEYED.has(name) ? 'oops SECRET-KEY' : 'oops' }, ['server']],
      [{ status: 401 }, ['auth']],
      [{ status: 402 }, ['quota']],
      [{ status: 302, headers: { location: 'https://elsewhere.example/' } }, ['blocked']],
      [{ body: '<html>not what was promised</html>' }, ['bad-response']],
      [{ body: { a: 'b'.repeat(3000) }, cutAt: 50 }, ['network', 'bad-response']],
    ]
    for (const [answer, reasons] of failures) {
      const { error } = await ask(name, () => answer)
      assert.ok(error instanceof Unavailable, `${name} ${JSON.stringify(answer)}`)
      assert.ok(
        reasons.includes(faultReason(error)),
        `${faultReason(error)} for ${JSON.stringify(answer).slice(0, 80)}`,
      )
      assert.doesNotMatch(`${error.message} ${JSON.stringify(error.fields)}`, /SECRET/)
      if (answer.status === 429) assert.equal(error.retryAfter, 3000)
      if (answer.status === 503) assert.equal(error.retryAfter, 9000)
    }
    const stop = new AbortController()
    const slow = ask(name, () => ({ hang: true }), stop.signal)
    setImmediate(() => stop.abort(new Error('too slow')))
    assert.equal(((await slow).error as Error).message, 'too slow')
  })
}

test('a closed port is a failure of the network', async () => {
  const server = await fakeSourceServer(() => undefined)
  await server.close()
  const provider = searxng({ url: server.url, clock: clock() })
  await assert.rejects(
    provider.call({ q: 'x' }, { clock: clock() }),
    (error) => faultReason(error) === 'network',
  )
})

test('searxng gives results, the infobox and what it could not reach; rows without an address are counted', async () => {
  const { output } = await ask('searxng', () => ({
    body: {
      results: [
        {
          title: 'A <b>tower</b>',
          url: 'https://a.example',
          content: 'has 26',
          score: 2,
          publishedDate: '2020-01-02T00:00:00',
        },
        { title: 'no address' },
      ],
      infoboxes: [
        {
          infobox: 'Torre Picasso',
          content: 'a tower',
          attributes: [{ label: 'Height', value: '157 m' }],
        },
      ],
      unresponsive_engines: [['bing', 'timeout']],
    },
  }))
  assert.equal(output?.entries?.length, 1)
  assert.equal(output?.entries?.[0]?.title, 'A tower')
  assert.equal(output?.entries?.[0]?.date, '2020-01-02')
  assert.equal(output?.dropped, 1)
  assert.deepEqual(output?.failedEngines, ['bing: timeout'])
  assert.deepEqual(output?.infobox, {
    title: 'Torre Picasso',
    content: 'a tower',
    attributes: { Height: '157 m' },
  })
})

test('searxng with JSON turned off says how to turn it on', async () => {
  const { error } = await ask('searxng', () => ({ status: 403 }))
  assert.ok(error instanceof Unavailable)
  assert.equal(faultReason(error), 'config')
  assert.match(error.cure ?? '', /search\.formats/)
})

test('a list of which no row is as it must be is a bad response; an empty list is an empty result', async () => {
  const bad = await ask('searxng', () => ({ body: { results: [{ a: 1 }] } }))
  assert.equal(faultReason(bad.error), 'bad-response')
  const empty = await ask('searxng', () => ({ body: { results: [] } }))
  assert.deepEqual(empty.output?.entries, [])
})

test('brave sends its key in a header only, and joins its snippets', async () => {
  const { output, requests } = await ask('brave', () => ({
    body: {
      type: 'search',
      web: {
        results: [
          { title: 'T', url: 'https://a.example', description: 'one', extra_snippets: ['two'] },
        ],
      },
    },
  }))
  assert.equal(output?.entries?.[0]?.snippet, 'one\ntwo')
  assert.equal(requests[0]?.headers['x-subscription-token'], 'SECRET-KEY')
  assert.doesNotMatch(requests[0]?.url.href ?? '', /SECRET/)
  assert.deepEqual((await ask('brave', () => ({ body: { type: 'search' } }))).output?.entries, [])
})

test('wikipedia reads the introductions of what it finds, with revision, entity and licence, and says who asks', async () => {
  const { output, requests } = await ask('wikipedia', ({ url }) =>
    url.pathname.endsWith('/search/page')
      ? {
          body: {
            pages:
              url.searchParams.get('q')?.includes('elevators') === true
                ? []
                : [{ key: 'Torre_Picasso', title: 'Torre Picasso', excerpt: 'a' }],
          },
        }
      : {
          body: {
            query: {
              pages: {
                1: {
                  title: 'Torre Picasso',
                  extract: 'It has 26 elevators.',
                  lastrevid: 77,
                  pageprops: { wikibase_item: 'Q5' },
                },
              },
            },
          },
        },
  )
  const entry = output?.entries?.[0]
  assert.equal(entry?.text, 'It has 26 elevators.')
  assert.equal(entry?.revision, '77')
  assert.equal(entry?.qid, 'Q5')
  assert.equal(entry?.licence, 'CC BY-SA 4.0')
  assert.match(entry?.url ?? '', /\/wiki\/Torre_Picasso$/)
  assert.match(String(requests[0]?.headers['user-agent']), /Pupil.*me@example\.org/)
  assert.match((await wikipedia({ clock: clock() }).probe()) ?? '', /contact/)
})

test('wikidata gives best-rank statements as sentences with units and dates', async () => {
  const claim = (rank: string, type: string, value: unknown, more: object = {}) => ({
    ...{ rank, mainsnak: { datavalue: { type, value } }, ...more },
  })
  const { output } = await ask('wikidata', ({ url }) => {
    if (url.searchParams.get('action') === 'wbsearchentities') {
      return {
        body: { search: [{ id: 'Q5', label: 'Torre Picasso', description: 'tower in Madrid' }] },
      }
    }
    if (url.searchParams.get('props') === 'labels') {
      const label = (value: string) => ({ labels: { en: { value } } })
      return {
        body: {
          entities: {
            P1: label('height'),
            P2: label('architect'),
            P3: label('inception'),
            Q9: label('Minoru Yamasaki'),
            Q11: label('metre'),
          },
        },
      }
    }
    const quantity = (amount: string) => ({ amount, unit: 'http://www.wikidata.org/entity/Q11' })
    return {
      body: {
        entities: {
          Q5: {
            claims: {
              P1: [
                claim('normal', 'quantity', quantity('+150')),
                claim('preferred', 'quantity', quantity('+157'), {
                  qualifiers: {
                    P585: [{ datavalue: { value: { time: '+2010-00-00T00:00:00Z' } } }],
                  },
                }),
              ],
              P2: [claim('normal', 'wikibase-entityid', { id: 'Q9' })],
              P3: [
                claim('deprecated', 'time', { time: '+1900-01-01T00:00:00Z', precision: 11 }),
                claim('normal', 'time', { time: '+1988-12-15T00:00:00Z', precision: 9 }),
              ],
            },
          },
        },
      },
    }
  })
  assert.deepEqual(output?.entries?.[0]?.text?.split('\n'), [
    'Torre Picasso: tower in Madrid.',
    'Torre Picasso, height: 157 metre (2010).',
    'Torre Picasso, architect: Minoru Yamasaki.',
    'Torre Picasso, inception: 1988.',
  ])
})

test('kiwix-serve answers in XML only', async () => {
  const item =
    '<item><title>Torre Picasso</title><link>/content/wiki/Torre</link><description>has &lt;b&gt;26&lt;/b&gt;</description></item>'
  const { output } = await ask('kiwix', () => ({
    body: `<rss><channel>${item}</channel></rss>`,
    headers: { 'content-type': 'application/rss+xml' },
  }))
  assert.equal(output?.entries?.[0]?.title, 'Torre Picasso')
  assert.match(output?.entries?.[0]?.url ?? '', /\/content\/wiki\/Torre$/)
})

test('web detection is sent the crop alone, as a picture without metadata, and lists entities and pages', async () => {
  const { output, requests } = await ask('vision', () => ({
    body: {
      responses: [
        {
          webDetection: {
            webEntities: [
              { entityId: '/m/1', description: 'Torre Picasso', score: 0.9 },
              { entityId: '/m/2' },
            ],
            bestGuessLabels: [{ label: 'torre picasso' }],
            pagesWithMatchingImages: [{ url: 'https://a.example', pageTitle: 'The <b>Torre</b>' }],
          },
        },
      ],
    },
  }))
  assert.deepEqual(
    output?.entries?.map(({ title }) => title),
    ['torre picasso', 'Torre Picasso', 'The Torre'],
  )
  assert.equal(output?.dropped, 1)
  const sent = JSON.parse(requests[0]?.body ?? '') as { requests: [{ image: { content: string } }] }
  const file = Buffer.from(sent.requests[0].image.content, 'base64')
  assert.equal(file.subarray(0, 2).toString('hex'), 'ffd8')
  assert.ok(!file.includes('Exif'))
  assert.equal(requests[0]?.headers['x-goog-api-key'], 'SECRET-KEY')
})

test('lens looks only at published pictures', async () => {
  const { output, requests } = await ask('lens', () => ({
    body: { visual_matches: [{ title: 'Torre', link: 'https://a.example' }] },
  }))
  assert.equal(output?.entries?.[0]?.title, 'Torre')
  assert.equal(requests[0]?.url.searchParams.get('url'), 'https://pictures.example/a.jpg')
  const none = serpapiLens({ key: 'k', clock: clock(), publicUrl: () => undefined })
  await assert.rejects(
    none.call({ picture }, { clock: clock() }),
    (error) => faultReason(error) === 'config',
  )
})

test('pictures are found by words at Commons, Openverse and SearXNG, with their licences', async () => {
  await using server = await fakeSourceServer(({ url }) => {
    if (url.pathname === '/w/api.php') {
      const info = {
        url: 'https://c.example/a.jpg',
        descriptionurl: 'https://c.example/a',
        width: 4,
        height: 3,
        extmetadata: { LicenseShortName: { value: 'CC BY 4.0' }, Artist: { value: '<a>Ann</a>' } },
      }
      return {
        body: { query: { pages: { 2: { index: 1, title: 'File:A.jpg', imageinfo: [info] } } } },
      }
    }
    if (url.pathname === '/v1/images/') {
      return {
        body: {
          results: [{ title: 'B', url: 'https://o.example/b.jpg', license: 'by', creator: 'Bo' }],
        },
      }
    }
    return {
      body: {
        results: [
          { title: 'C', img_src: '//s.example/c.jpg' },
          { title: 'D', img_src: 'https://s.example/d.jpg' },
        ],
      },
    }
  })
  const found = await Promise.all([
    commons({ contact: 'me', clock: clock(), bases: { commons: server.url } }).find('arch'),
    openverse({ clock: clock(), url: server.url }).find('arch'),
    searxngPictures({ clock: clock(), url: server.url }).find('arch', { limit: 5 }),
  ])
  assert.deepEqual(found[0], [
    {
      title: 'A.jpg',
      url: 'https://c.example/a.jpg',
      width: 4,
      height: 3,
      page: 'https://c.example/a',
      licence: 'CC BY 4.0',
      creator: 'Ann',
    },
  ])
  assert.equal(found[1][0]?.licence, 'by')
  assert.equal(found[2][0]?.url, 'https://s.example/c.jpg')
})

test('requests to one service wait for each other, as its limit says', async () => {
  await using server = await fakeSourceServer(() => ({ body: { results: [] } }))
  const time = clock()
  const provider = searxng({ url: server.url, clock: time })
  await Promise.all([1, 2, 3].map(() => provider.call({ q: 'x' }, { clock: time })))
  assert.deepEqual(time.slept, [1000, 1000])
})
