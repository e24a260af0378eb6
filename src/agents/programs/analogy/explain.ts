import { pluralPhrase, singularPhrase } from '../../../memory/index.ts'
import { oppositeSide, plainPlace, relationText } from './relations.ts'
import type { Match } from './template-index.ts'
import type { Slot } from './template.ts'
import type { Token } from './tokens.ts'

/** How a program came from its demonstration, as a sentence. */
export function explain(match: Match): string {
  const { instruction } = match.demonstration
  const changes = changesOf(match).map(([from, to]) => `${to} for ${from}`)
  return changes.length === 0
    ? `As in "${instruction}"`.concat('.')
    : `As in "${instruction}", with ${changes.join(', ')}.`
}

/** The demonstration's plan with the new words in place of its own. */
export function planOf(match: Match): readonly string[] {
  const lines = (match.template.demonstration.plan ?? '').split('\n').filter((line) => line !== '')
  const changes = [...changesOf(match).flatMap(bothNumbers), ...placesOf(match)]
  return lines.map((line) => replaced(line.replace(/^\s*\d+[.)]\s*/, ''), changes))
}

/** A plan may speak of one or of many of the things that the instruction names. */
function bothNumbers([from, to]: readonly [string, string]): readonly (readonly [
  string,
  string,
])[] {
  return [
    [from, to],
    [singularPhrase(from), singularPhrase(to)],
    [pluralPhrase(from), pluralPhrase(to)],
  ]
}

/** A plan may say a relation or a side in other words than the instruction did. */
function placesOf({ template, bindings }: Match): readonly (readonly [string, string])[] {
  return template.slots.flatMap(({ index, type, filler }: Slot) => {
    const [from, to] = [filler[0]?.canon ?? '', bindings.get(index)?.[0]?.canon ?? '']
    if (from === to || to === '') return []
    if (type === 'rel') return [[relationText(from), relationText(to)] as const]
    if (type !== 'side') return []
    const sides = [
      [from, to],
      [oppositeSide(from), oppositeSide(to)],
    ] as const
    return sides.map(([a, b]) => [plainPlace(a), plainPlace(b)] as const)
  })
}

/** All changes in one pass, so that no new word is replaced again. */
function replaced(line: string, changes: readonly (readonly [string, string])[]): string {
  if (changes.length === 0) return line
  // The first of equal ones counts, longer ones before their parts.
  const to = new Map([...changes].reverse().sort(([a], [b]) => b.length - a.length))
  const pattern = [...to.keys()].map((from) => from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return line.replace(
    new RegExp(`(?<![\\w])(?:${pattern.join('|')})(?![\\w])`, 'g'),
    (from) => to.get(from) ?? from,
  )
}

/** What each slot held in the template's demonstration and what it holds now, where they differ. */
function changesOf({ template, bindings }: Match): readonly (readonly [string, string])[] {
  return template.slots.flatMap((slot: Slot) => {
    const bound = bindings.get(slot.index)
    if (bound === undefined) return []
    const from = said(slot.filler)
    const to = said(bound)
    return from === '' || from === to ? [] : [[from, to] as const]
  })
}

function said(list: readonly Token[]): string {
  return list.map((token) => token.text).join(' ')
}
