import type { GuardedFetch } from './guarded-fetch.ts'
import { passagesOf, textOfReply } from './page-text.ts'
import { LOCAL_SOURCE, sourceFault } from './provider.ts'
import type { SourceProvider } from './provider.ts'
import { robotsAllow } from './robots.ts'

/** Passages of a page that are given back at most. */
const MOST_PASSAGES = 12

/**
 * Reads a page that a search found, as its site allows: through the guard, by its rules for robots, cleaned
 * and cut to passages.
 */
export function openPage(options: {
  readonly fetch: GuardedFetch
  /** Our name in robots rules; default `pupil`. */
  readonly agent?: string
}): SourceProvider {
  const { fetch, agent = 'pupil' } = options
  const rules = new Map<string, Promise<string>>()
  const robotsOf = (origin: string, signal?: AbortSignal): Promise<string> => {
    const known = rules.get(origin) ?? readRobots(fetch, origin, signal)
    rules.set(origin, known)
    // What could not be read is asked for again the next time.
    known.catch(() => rules.delete(origin))
    return known
  }
  return {
    ...{ ...LOCAL_SOURCE, id: 'page', tool: 'open_page', licence: '', timeoutMs: 10_000 },
    ...{ needsNetwork: true, sends: 'text' },
    call: async ({ url }, { signal }) => {
      if (url === undefined || !URL.canParse(url))
        throw sourceFault('page', 'blocked', 'no address to open')
      const { origin, pathname, search } = new URL(url)
      if (!robotsAllow(await robotsOf(origin, signal), agent, pathname + search)) {
        throw sourceFault(new URL(url).host, 'blocked', 'its rules for robots forbid it')
      }
      const reply = await fetch(url, { signal, headers: { accept: 'text/html, text/plain;q=0.9' } })
      if (reply.status === 429 || reply.status === 503) {
        const seconds = Number(reply.headers['retry-after'])
        throw sourceFault(new URL(url).host, 'rate-limited', `status ${reply.status}`, {
          ...(Number.isFinite(seconds) ? { retryAfter: seconds * 1000 } : {}),
        })
      }
      if (reply.status >= 400) {
        const reason =
          reply.status >= 500 ? 'server' : reply.status === 404 ? 'bad-response' : 'auth'
        throw sourceFault(new URL(url).host, reason, `status ${reply.status}`)
      }
      const page = await textOfReply(reply.body, reply.headers['content-type'] ?? '', reply.url)
      const passages = passagesOf(page.text).slice(0, MOST_PASSAGES)
      // A wall or an empty page says nothing: no entries, so that code calls it uninformative.
      const entries = passages.map((text) => ({
        kind: 'page',
        title: page.title,
        text,
        url: reply.url,
        ...(page.date === undefined ? {} : { date: page.date }),
      }))
      return { entries }
    },
  }
}

/** The rules of a site; a site without them allows everything. */
async function readRobots(
  fetch: GuardedFetch,
  origin: string,
  signal?: AbortSignal,
): Promise<string> {
  const reply = await fetch(new URL('/robots.txt', origin).href, { signal, maxBytes: 500_000 })
  if (reply.status >= 500)
    throw sourceFault(new URL(origin).host, 'server', `status ${reply.status} for robots.txt`)
  return reply.status === 200 ? Buffer.from(reply.body).toString('utf8') : ''
}
