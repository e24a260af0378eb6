import {
  errorData,
  isFault,
  orAbort,
  sha256,
  canonicalJson,
  Unavailable,
} from '../../base/index.ts'
import type { Clock, Random } from '../../base/index.ts'
import type { Image } from '../../image/index.ts'
import { faultReason, sourceFault } from '../../tools/index.ts'
import type { FaultReason, SourceArgs, SourceOutput, SourceProvider } from '../../tools/index.ts'
import { actionKey } from './action-key.ts'
import type { Ledger } from './ledger.ts'
import type { Action, Attempt } from './types.ts'

/** Answers of sources, kept between runs; errors are never kept. */
export interface SourceCache {
  get(key: string, now: number): Promise<SourceOutput | undefined>
  put(key: string, output: SourceOutput, more: { now: number; ttlMs: number }): Promise<void>
}

/** A request for what a user must allow: exactly what would go, to whom, for how much. */
export interface ConsentRequest {
  readonly provider: SourceProvider
  readonly what: 'image' | 'text'
  readonly q?: string
  readonly picture?: Image
  readonly region?: SourceArgs['region']
}

/** Which providers can still be used in this run, and why others cannot. */
export interface ProviderDesk {
  /** Usable ones in order, or the reason that there are none. */
  usable(tool: Action['tool']): readonly SourceProvider[]
  whyNot(tool: Action['tool']): 'no-provider' | 'consent' | 'budget' | 'breaker' | undefined
  turnOff(provider: string, why: 'breaker' | 'consent' | 'no-provider'): void
  timedOut(provider: string): void
  readonly failed: Map<string, string>
}

export interface Execution {
  readonly attempts: readonly Attempt[]
  readonly provider?: Pick<SourceProvider, 'id' | 'licence' | 'mayStore'>
  readonly output?: SourceOutput
  /** Of the last failure, when there is no output. */
  readonly reason?: FaultReason
  readonly error?: unknown
  readonly consent?: 'granted' | 'refused'
  readonly cached: boolean
  readonly usd: number
}

export interface ExecuteParts {
  readonly picture: Image
  readonly clock: Clock
  readonly random: Random
  readonly ledger: Ledger
  readonly desk: ProviderDesk
  readonly cache?: SourceCache | undefined
  readonly fresh: boolean
  readonly signal?: AbortSignal | undefined
  readonly consent: (request: ConsentRequest) => Promise<boolean>
  /** True when this provider may be used without asking. */
  readonly allowed: (provider: SourceProvider) => boolean
}

/** The longest wait that a source may ask for. */
const LONGEST_WAIT = 30_000

/** How long answers are good for, in milliseconds. @source avis §13 */
const HOUR = 3_600_000
const TIME_TO_LIVE: Readonly<Record<string, number>> = {
  ...{ web_search: 24 * HOUR, open_page: 24 * HOUR, image_search: 7 * 24 * HOUR },
  ...{ kb_lookup: 30 * 24 * HOUR, empty: HOUR },
}

/**
 * One action carried out: cache, consent, time limit, one retry, next provider, every try noted.
 *
 * Never throws for what a source does; the caller's own signal is thrown as it is.
 *
 * @source avis §7
 */
export async function execute(
  action: Action,
  args: SourceArgs,
  parts: ExecuteParts,
): Promise<Execution> {
  const usable = parts.desk.usable(action.tool)
  const together = askedTogether(action, usable)
  const first = together.length < 2 ? undefined : await askAll(action, together, args, parts)
  // Local ones that found nothing leave the question to services.
  if (first !== undefined && (first.found || together.length === usable.length))
    return first.execution
  const rest = first === undefined ? usable : usable.filter((one) => !together.includes(one))
  const next = await askInTurn(action, rest, args, parts)
  if (first === undefined) return next
  const attempts = [...first.execution.attempts, ...next.attempts]
  return next.output === undefined ? { ...first.execution, attempts } : { ...next, attempts }
}

/** Providers of which one that knows nothing hides none of the others: asked at once, their entries joined. */
function askedTogether(
  { tool }: Action,
  usable: readonly SourceProvider[],
): readonly SourceProvider[] {
  if (tool === 'kb_lookup') return usable
  return tool === 'image_search' ? usable.filter(({ sends }) => sends === 'none') : []
}

async function askInTurn(
  action: Action,
  providers: readonly SourceProvider[],
  args: SourceArgs,
  parts: ExecuteParts,
): Promise<Execution> {
  const attempts: Attempt[] = []
  let last: Execution = { attempts, cached: false, usd: 0 }
  let usd = 0
  for (const provider of providers) {
    const { reason } = last
    if (reason === 'blocked' || reason === 'too-large') {
      // The same wall stands for everyone who looks at the same thing from here.
      if (attempts.some((one) => one.result === reason) && provider.sends !== 'none') continue
    }
    const asked = await askOne(action, provider, args, parts)
    attempts.push(...asked.attempts)
    usd += asked.usd
    const consent = asked.consent ?? last.consent
    if (asked.output !== undefined) return { ...asked, attempts, usd, consent }
    // A refusal is no failure: what failed before it is still why there is nothing.
    last = asked.reason === undefined ? { ...last, consent } : { ...asked, consent }
  }
  return { ...last, attempts, usd }
}

/** All at once; entries come in turn, one of each, and say whose they are. */
async function askAll(
  action: Action,
  providers: readonly SourceProvider[],
  args: SourceArgs,
  parts: ExecuteParts,
): Promise<{ readonly execution: Execution; readonly found: boolean }> {
  const told = await Promise.all(providers.map((one) => askOne(action, one, args, parts)))
  const attempts = told.flatMap((one) => one.attempts)
  const usd = told.reduce((sum, one) => sum + one.usd, 0)
  const consent = told.find((one) => one.consent !== undefined)?.consent
  const came = told.flatMap(({ output, provider }) =>
    output === undefined || provider === undefined ? [] : [{ output, provider }],
  )
  const failed = told.find(({ reason }) => reason !== undefined)
  if (came.length === 0) {
    const { reason, error } = failed ?? {}
    return { execution: { attempts, reason, error, consent, cached: false, usd }, found: false }
  }
  const entries = inTurn(
    came.map(({ output, provider: { id, licence } }) =>
      (output.entries ?? []).map((entry) => ({
        ...(licence === '' ? {} : { licence }),
        ...entry,
        provider: id,
      })),
    ),
  )
  const provider = {
    id: came.map((one) => one.provider.id).join('+'),
    licence: came.length === 1 ? (came[0]?.provider.licence ?? '') : '',
    mayStore: came.every((one) => one.provider.mayStore),
  }
  const cached = told.every((one) => one.cached)
  return {
    execution: { attempts, provider, output: { entries }, cached, usd, consent },
    found: entries.length > 0,
  }
}

function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, i) =>
    lists.flatMap((list) => list.slice(i, i + 1)),
  ).flat()
}

/** One provider: the cache, consent, then its call with its retry. */
async function askOne(
  action: Action,
  provider: SourceProvider,
  args: SourceArgs,
  parts: ExecuteParts,
): Promise<Execution> {
  const attempts: Attempt[] = []
  const key = cacheKey(action, provider, parts.picture)
  const known = parts.fresh ? undefined : await parts.cache?.get(key, parts.clock.now())
  if (known !== undefined) {
    attempts.push({ provider: provider.id, result: 'cache', ms: 0 })
    return { attempts, provider, output: known, cached: true, usd: 0 }
  }
  const granted = parts.allowed(provider) || (await parts.consent(consentRequest(provider, args)))
  const consent = parts.allowed(provider) ? undefined : granted ? 'granted' : 'refused'
  if (!granted) {
    parts.desk.turnOff(provider.id, 'consent')
    return { attempts, consent, cached: false, usd: 0 }
  }
  const { output, reason, error, usd } = await tryProvider(provider, args, parts, attempts)
  if (output === undefined) return { attempts, reason, error, consent, cached: false, usd }
  await keep(parts, key, provider, action, output)
  return { attempts, provider, output, cached: false, usd, consent }
}

interface Tried {
  readonly output?: SourceOutput
  readonly reason?: FaultReason
  readonly error?: unknown
  readonly usd: number
}

/** A provider's call with its one retry. */
async function tryProvider(
  provider: SourceProvider,
  args: SourceArgs,
  parts: ExecuteParts,
  attempts: Attempt[],
): Promise<Tried> {
  const { clock, random, ledger, desk, signal } = parts
  for (let tries = 0; ; tries++) {
    const start = clock.tick()
    try {
      const output = await limited(provider, args, parts)
      attempts.push({ provider: provider.id, result: 'ok', ms: clock.tick() - start })
      return { output, usd: provider.price ?? 0 }
    } catch (thrown) {
      if (signal?.aborted === true) throw signal.reason
      if (isFault(thrown) && thrown.kind === 'Bug') throw thrown
      const reason = reasonOf(thrown)
      const { message, fields, cure } = errorData(thrown)
      const untrusted = fields['untrusted']
      attempts.push({
        ...{ provider: provider.id, result: reason, ms: clock.tick() - start, message },
        ...(cure === undefined ? {} : { cure }),
        ...(typeof untrusted === 'string' ? { untrusted } : {}),
      })
      if (reason === 'timeout') desk.timedOut(provider.id)
      const wait = pauseBefore(reason, thrown, tries, random)
      const worth = wait !== undefined && wait < ledger.timeLeft()
      if (tries === 0 && worth) {
        await clock.sleep(wait, signal)
        continue
      }
      desk.failed.set(provider.id, reason)
      if (reason === 'auth' || reason === 'config' || reason === 'quota') {
        desk.turnOff(provider.id, 'no-provider')
      }
      return { reason, error: thrown, usd: 0 }
    }
  }
}

/** Milliseconds before a second try; undefined when there is none. */
function pauseBefore(
  reason: FaultReason,
  thrown: unknown,
  tries: number,
  random: Random,
): number | undefined {
  const backoff = 500 * 2 ** tries * (1 + 0.2 * random.next())
  switch (reason) {
    case 'timeout':
    case 'network':
    case 'server':
      return backoff
    case 'rate-limited': {
      const told = thrown instanceof Unavailable ? thrown.retryAfter : undefined
      const wait = told ?? backoff
      return wait <= LONGEST_WAIT ? wait : undefined
    }
    default:
      return undefined
  }
}

/** The call under its time limit; a late answer is dropped, and the timer goes with it. */
async function limited(
  provider: SourceProvider,
  args: SourceArgs,
  { clock, ledger, signal }: ExecuteParts,
): Promise<SourceOutput> {
  const ms = Math.min(provider.timeoutMs, ledger.timeLeft())
  const bell = new AbortController()
  const done = new AbortController()
  const signals = signal === undefined ? [bell.signal] : [bell.signal, signal]
  const either = AbortSignal.any(signals)
  const late = sourceFault(provider.id, 'timeout', `no answer within ${ms} ms`)
  clock.sleep(ms, done.signal).then(
    () => bell.abort(late),
    () => {},
  )
  try {
    return await orAbort(provider.call(args, { signal: either, clock }), either)
  } catch (error) {
    throw bell.signal.aborted && signal?.aborted !== true ? late : error
  } finally {
    done.abort()
  }
}

function reasonOf(error: unknown): FaultReason {
  return isFault(error) && error.code === 'T_UNAVAILABLE' ? 'config' : faultReason(error)
}

async function keep(
  { cache, clock }: ExecuteParts,
  key: string,
  provider: SourceProvider,
  action: Action,
  output: SourceOutput,
): Promise<void> {
  if (cache === undefined || !provider.mayStore || provider.sends === 'none') return
  const empty = (output.entries ?? output.lines ?? output.boxes)?.length === 0
  const ttlMs = TIME_TO_LIVE[empty ? 'empty' : action.tool] ?? HOUR
  await cache.put(key, output, { now: clock.now(), ttlMs })
}

/** The address of an answer in the cache. @source avis §13 */
export function cacheKey(action: Action, provider: SourceProvider, picture: Image): string {
  const parts = [action.tool, provider.id, provider.version, actionKey(action, picture.hash)]
  return sha256(canonicalJson(parts))
}

function consentRequest(provider: SourceProvider, args: SourceArgs): ConsentRequest {
  const { picture, region, q } = args
  const isPicture = provider.sends === 'image'
  return {
    ...{ provider, what: isPicture ? 'image' : 'text' },
    ...(q === undefined || isPicture ? {} : { q }),
    ...(isPicture ? { picture, region } : {}),
  }
}

/** Answers in memory, with their time to live. */
export function memorySourceCache(): SourceCache {
  const known = new Map<string, { readonly output: SourceOutput; readonly until: number }>()
  return {
    get: async (key, now) => {
      const entry = known.get(key)
      return entry === undefined || entry.until <= now ? undefined : entry.output
    },
    put: async (key, output, { now, ttlMs }) => void known.set(key, { output, until: now + ttlMs }),
  }
}
