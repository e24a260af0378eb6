import { entryHash, quoteBox } from './entries.ts'
import { WEIGHTS } from './agree.ts'
import { datesIn, deriveValue } from './derivation.ts'
import { findQuote, touches } from './outside-text.ts'
import type { Reading } from './reasoner.ts'
import type { Candidate, Claim, Decomposition, Entry, Rejected, SeekTool } from './types.ts'

/** A reading as far as code could confirm it. */
export interface Checked {
  readonly verdict: Reading['verdict']
  readonly claims: readonly Claim[]
  readonly candidates: readonly Candidate[]
  readonly rejected: readonly Rejected[]
  /** The premise of the question is not so, by this quote. */
  readonly contradicts?: string
}

export interface CheckParts {
  readonly entries: readonly Entry[]
  readonly tool: SeekTool
  readonly step: number
  readonly slot: number | 'answer'
  readonly asked: Pick<Decomposition, 'answerType' | 'unit'>
  readonly choices?: readonly string[]
  readonly nextClaimId: () => string
  readonly nextFound: () => number
}

/**
 * What of a reading stands: quotes that are in their entries and touch nothing suspect, values that fit and
 * follow from their quotes. The verdict falls with what carried it.
 *
 * @source avis §6 (checks by code)
 */
export function checkReading(reading: Reading, parts: CheckParts): Checked {
  if (reading.verdict === 'uninformative') {
    const contradicts = premiseQuote(reading, parts)
    return { verdict: 'uninformative', claims: [], candidates: [], rejected: [], ...contradicts }
  }
  const rejected: Rejected[] = []
  const claims: Claim[] = []
  const quoteClaim = (text: string, entry: string, quote: string): Claim | undefined => {
    const claim = claimOf({ text, entry, quote }, parts)
    if ('why' in claim) {
      rejected.push(claim)
      return undefined
    }
    const known = claims.find(
      (one) => one.entry === entry && one.start === claim.start && one.end === claim.end,
    )
    if (known === undefined) claims.push(claim)
    return known ?? claim
  }
  for (const { text, entry, quote } of reading.claims ?? []) quoteClaim(text, entry, quote)
  const candidates: Candidate[] = []
  for (const { answer, support } of reading.candidates ?? []) {
    const value = answer.replace(/\s+/g, ' ').trim()
    const kept = support.flatMap(({ entry, quote }) => quoteClaim(quote, entry, quote) ?? [])
    candidates.push(...candidatesOf(value, kept, parts, rejected))
  }
  const verdict =
    claims.length === 0
      ? 'uninformative'
      : reading.verdict === 'answer' && candidates.length === 0
        ? 'informative'
        : reading.verdict
  return { verdict, claims, candidates, rejected, ...premiseQuote(reading, parts) }
}

/** A value with each claim that derives it; those that do not stay plain claims. */
function candidatesOf(
  value: string,
  support: readonly Claim[],
  parts: CheckParts,
  rejected: Rejected[],
): readonly Candidate[] {
  if (support.length === 0) return []
  const asked = {
    ...parts.asked,
    ...(parts.choices === undefined ? {} : { choices: parts.choices }),
  }
  const single = support.flatMap((claim) => {
    const derived = deriveValue(value, [claim.quote], asked)
    return 'rejected' in derived ? [] : [{ claim, derived }]
  })
  // Arithmetic may need several quotes at once; then they count together.
  const whole =
    single.length > 0
      ? undefined
      : deriveValue(
          value,
          support.map(({ quote }) => quote),
          asked,
        )
  if (single.length === 0 && (whole === undefined || 'rejected' in whole)) {
    rejected.push({ what: value, why: whole?.rejected ?? 'underived', entry: support[0]?.entry })
    return []
  }
  const make = (
    claim: readonly Claim[],
    derived: { value: string; shown: string; derivation: Candidate['derivation'] },
  ): Candidate => {
    const date = latest(claim)
    const score = Math.max(0, ...claim.map((one) => one.score ?? 0))
    const qid = claim.find((one) => one.source.qid !== undefined && namesEntity(one, value))?.source
      .qid
    return {
      ...{ slot: parts.slot, value: derived.value, shown: derived.shown, support: claim },
      ...{ derivation: derived.derivation, found: parts.nextFound() },
      ...(date === undefined ? {} : { date }),
      ...(score === 0 ? {} : { score }),
      ...(qid === undefined ? {} : { qid }),
    }
  }
  if (whole !== undefined && !('rejected' in whole)) return [make(support, whole)]
  return single.map(({ claim, derived }) => make([claim], derived))
}

function namesEntity(claim: Claim, value: string): boolean {
  return claim.source.title?.toLowerCase() === value.toLowerCase()
}

/** The date of a quote, or else of its entry. */
function latest(claims: readonly Claim[]): string | undefined {
  return claims
    .flatMap((one) => (one.date === undefined ? [] : [one.date]))
    .toSorted()
    .at(-1)
}

function claimOf(
  said: { readonly text: string; readonly entry: string; readonly quote: string },
  parts: CheckParts,
): Claim | Rejected {
  const entry = parts.entries.find((one) => one.id === said.entry)
  if (entry === undefined) return { what: said.quote, why: 'unknown-entry', entry: said.entry }
  const place = findQuote(entry.text, said.quote)
  if (place === undefined) return { what: said.quote, why: 'unquoted', entry: said.entry }
  if (touches(place, entry.suspect)) return { what: said.quote, why: 'suspect', entry: said.entry }
  const [start, end] = place
  const box = quoteBox(entry, start)
  const date = dateOf(entry.text.slice(start, end)) ?? entry.date
  return Object.freeze({
    ...{ id: parts.nextClaimId(), text: said.text.slice(0, 300), entry: entry.id },
    ...{ quote: entry.text.slice(start, end), start, end, tool: parts.tool, step: parts.step },
    ...{
      weight: entry.kind === 'yours' ? YOURS : WEIGHTS[parts.tool],
      taint: 'untrusted',
      source: entry.source,
    },
    sha256: entryHash(entry),
    ...(date === undefined ? {} : { date }),
    ...(entry.score === undefined ? {} : { score: entry.score }),
    ...(box === undefined ? {} : { box }),
  } satisfies Claim)
}

/** What the user said outranks every source (avis §10). */
const YOURS = 0.99

/** The last date of a quote, as text that sorts: 2019, 2019-05, 2019-05-04. */
function dateOf(quote: string): string | undefined {
  return datesIn(quote)
    .filter((one) => one.year !== undefined)
    .map(({ year, month, day }) =>
      [String(year).padStart(4, '0'), month, day]
        .filter((part) => part !== undefined)
        .map((part) => String(part).padStart(2, '0'))
        .join('-'),
    )
    .toSorted()
    .at(-1)
}

function premiseQuote(
  { contradicts }: Reading,
  { entries }: CheckParts,
): { readonly contradicts: string } | object {
  if (contradicts === undefined) return {}
  const entry = entries.find((one) => one.id === contradicts.entry)
  const place = entry === undefined ? undefined : findQuote(entry.text, contradicts.quote)
  if (entry === undefined || place === undefined || touches(place, entry.suspect)) return {}
  return { contradicts: entry.text.slice(place[0], place[1]) }
}
