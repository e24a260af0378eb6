import { queryBag } from './action-key.ts'
import { datesIn, level } from './derivation.ts'
import { quantities, sameQuantity } from './quantity.ts'
import { DERIVATIONS } from './types.ts'
import type { Candidate, Claim, SeekTool } from './types.ts'

/** How much one source of a kind counts for a value. @source avis §8 */
export const WEIGHTS: Readonly<Record<SeekTool, number>> = {
  ...{ llm_qa: 0.2, caption: 0.4, vqa: 0.4, image_search: 0.6, web_search: 0.6, open_page: 0.6 },
  ...{ kb_lookup: 0.6, ocr: 0.7, detect: 0.3, select_object: 0 },
}

/** Values of one slot that mean the same, with what carries them. */
export interface Group {
  readonly value: string
  readonly best: Candidate
  readonly members: readonly Candidate[]
  /** Claims of independent sources, one each. */
  readonly sources: readonly Claim[]
  readonly weight: number
  readonly date?: string
  readonly score: number
  readonly found: number
}

/** Candidates of a slot, alike values joined, best first by the fixed order. */
export function rankCandidates(
  candidates: readonly Candidate[],
  options: { readonly recency: boolean },
): readonly Group[] {
  const groups: Candidate[][] = []
  for (const one of candidates) {
    const home = groups.find((group) => group.some((other) => sameValue(one, other)))
    if (home === undefined) groups.push([one])
    else home.push(one)
  }
  return groups.map(groupOf).sort((a, b) => compareGroups(a, b, options))
}

function groupOf(members: readonly Candidate[]): Group {
  const best = members.toSorted(
    (a, b) =>
      DERIVATIONS.indexOf(a.derivation) - DERIVATIONS.indexOf(b.derivation) || a.found - b.found,
  )[0]
  if (best === undefined) throw new TypeError('a group has at least one candidate')
  const sources = independentSources(members.flatMap((one) => one.support))
  const dates = members.flatMap((one) => (one.date === undefined ? [] : [one.date])).toSorted()
  const date = dates.at(-1)
  return {
    ...{ value: best.value, best, members, sources, weight: pooledWeight(sources) },
    ...(date === undefined ? {} : { date }),
    score: Math.max(0, ...members.map((one) => one.score ?? 0)),
    found: Math.min(...members.map((one) => one.found)),
  }
}

/** What decides before the provider's score: negative when `a` is ahead. 0 is a tie. */
export function decidingOrder(
  a: Group,
  b: Group,
  { recency }: { readonly recency: boolean },
): number {
  const judged = (one: Group): number => Number(one.best.derivation === 'judgement')
  const byDate = !recency ? 0 : a.date === b.date ? 0 : (a.date ?? '') > (b.date ?? '') ? -1 : 1
  const byWeight = Math.abs(a.weight - b.weight) < 1e-9 ? 0 : b.weight - a.weight
  return judged(a) - judged(b) || byDate || byWeight
}

function compareGroups(a: Group, b: Group, options: { readonly recency: boolean }): number {
  return decidingOrder(a, b, options) || b.score - a.score || a.found - b.found
}

/** 1 - product of (1 - weight) over independent sources. */
export function pooledWeight(sources: readonly Pick<Claim, 'weight'>[]): number {
  return 1 - sources.reduce((rest, { weight }) => rest * (1 - weight), 1)
}

/**
 * How sure a value is: pooled weight, times its share of all weight for and against.
 *
 * @source avis §8; vector: three image-search sources against one VQA give 0.936 * 1.8 / 2.2
 */
export function confidenceOf(winner: Group, losers: readonly Group[]): number {
  const sum = (group: Group): number => group.sources.reduce((all, { weight }) => all + weight, 0)
  const [won, lost] = [sum(winner), losers.reduce((all, one) => all + sum(one), 0)]
  return won === 0 ? 0 : (winner.weight * won) / (won + lost)
}

/**
 * One claim for each independent source: another domain (or provider, where there is no address), another
 * text, another model or region.
 */
export function independentSources(claims: readonly Claim[]): readonly Claim[] {
  const kept: { claim: Claim; shingles: ReadonlySet<string> }[] = []
  for (const claim of claims.toSorted((a, b) => b.weight - a.weight)) {
    const shingles = shinglesOf(claim.quote)
    const same = kept.some(
      (other) =>
        sourceName(other.claim) === sourceName(claim) || overlap(other.shingles, shingles) >= 0.8,
    )
    if (!same) kept.push({ claim, shingles })
  }
  return kept.map(({ claim }) => claim)
}

function sourceName({ source, tool }: Claim): string {
  if (source.url !== undefined) return registrableDomain(source.url)
  // Captions and answers about one region are one witness.
  return tool === 'caption' || tool === 'vqa' ? `looking ${source.region ?? ''}` : source.provider
}

/** Second-level domains under which names are given away, as `co.uk`; a short list, not all of them. */
const SHARED = /\.(?:co|com|org|net|gov|ac|edu|or|ne|go)\.[a-z]{2}$/

/** The part of an address that one owner holds; without a full list of suffixes, an approximation. */
export function registrableDomain(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : url
  const labels = host.split('.')
  return labels.slice(SHARED.test(host) ? -3 : -2).join('.') || url
}

function shinglesOf(text: string): ReadonlySet<string> {
  const words = level(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((one) => one !== '')
  if (words.length < 8) return new Set()
  return new Set(words.slice(7).map((_, i) => words.slice(i, i + 8).join(' ')))
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  return [...a].filter((one) => b.has(one)).length / Math.min(a.size, b.size)
}

/** Whether two candidates say the same: by entity, by number, by date, by words. */
export function sameValue(a: Candidate, b: Candidate): boolean {
  if (a.slot !== b.slot) return false
  if (a.qid !== undefined && a.qid === b.qid) return true
  return sameText(a.value, b.value)
}

export function sameText(a: string, b: string): boolean {
  if (plain(a) === plain(b)) return true
  const [qa, qb] = [quantities(a), quantities(b)]
  const [x, y] = [qa[0], qb[0]]
  const bare = (text: string, one: { text: string }): boolean =>
    !/\p{L}/u.test(
      text
        .replace(one.text, '')
        .replace(/\b(?:about|around|approximately|over|c\.?|some|a total of)\b/giu, ''),
    )
  if (x !== undefined && y !== undefined && qa.length === 1 && qb.length === 1) {
    if (bare(a, x) && bare(b, y))
      return isYear(a) || isYear(b) ? x.low === y.low : sameQuantity(x, y)
  }
  const [da, db] = [datesIn(a)[0], datesIn(b)[0]]
  return da?.day !== undefined && da.day === db?.day && da.month === db.month && da.year === db.year
}

/** Years one per cent apart are other years. */
function isYear(text: string): boolean {
  return /^\s*(?:1\d{3}|20\d{2})\s*$/.test(text)
}

function plain(text: string): string {
  const words = level(text)
    .replace(/^(?:the|a|an) /, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? queryBag(text) : words
}
