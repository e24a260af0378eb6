import { print } from '../../../../program/index.ts'
import { fillHoles, pieceText } from '../instantiate.ts'
import type { Slot, Template } from '../template.ts'
import type { Token } from '../tokens.ts'

/** A place of a program that something of the instruction goes to. */
export interface Role {
  readonly type: Slot['type']
  readonly list: boolean
  /** What it is in the program: the argument, what is done with the result, the word before it. */
  readonly place: string
}

/** Programs that differ in what fills them only. */
export interface Shape {
  readonly key: string
  readonly roles: readonly Role[]
  /** One of its demonstrations, whose program is filled anew. */
  readonly template: Template
  /** Slot of the template by role. */
  readonly slots: readonly number[]
}

/** A demonstration read as: these words, in these roles, meant this shape. */
export interface Lesson {
  readonly tokens: readonly Token[]
  readonly shape: number
  readonly fills: readonly { readonly start: number; readonly end: number; readonly role: number }[]
}

interface Reading {
  readonly template: Template
  readonly key: string
  /** Slots in the order of the program's text. */
  readonly slots: readonly number[]
}

/** The shapes of a family's templates, and what each template teaches. */
export function lessonsOf(templates: readonly Template[]): {
  readonly shapes: readonly Shape[]
  readonly lessons: readonly Lesson[]
} {
  const usable = templates.filter(({ slots }) => slots.every(({ type }) => type !== 'action'))
  const open = new Set(usable.map((template) => readingOf(template, new Set()).key))
  const readings = usable.map((template) => readingOf(template, closedSlots(template, open)))
  const shapes: Shape[] = []
  const lessons: Lesson[] = []
  for (const [key, group] of Map.groupBy(readings, (reading) => reading.key)) {
    const best = group.toSorted((a, b) => firmness(b.template) - firmness(a.template))[0]
    if (best === undefined) continue
    const roles = best.slots.map((slot, i) => roleOf(best.template.slots[slot], placeOf(key, i)))
    shapes.push({ key, roles, template: best.template, slots: best.slots })
    for (const reading of group) lessons.push(lessonOf(reading, shapes.length - 1))
  }
  return { shapes, lessons }
}

function roleOf(slot: Slot | undefined, place: string): Role {
  return { type: slot?.type ?? 'thing', list: slot?.list ?? false, place }
}

/** Slots over words that other demonstrations of the same program do not say: they belong to it. */
function closedSlots(template: Template, open: ReadonlySet<string>): ReadonlySet<number> {
  const closed = template.slots.filter(
    ({ index, type }) => type === 'thing' && open.has(readingOf(template, new Set([index])).key),
  )
  return new Set(closed.map(({ index }) => index))
}

const MARK = /⟨(\d+)(~?)⟩/g

/** The meaning of a program with its slots numbered as they come in it; forms of words do not count. */
function readingOf(template: Template, closed: ReadonlySet<number>): Reading {
  const slots: number[] = []
  const text = print(
    fillHoles(template.program, template.holes, (hole) => {
      const slot = template.slots[hole.slot]
      if ('opposite' in hole) return `⟨${hole.slot}${hole.opposite ? '~' : ''}⟩`
      if (slot !== undefined && closed.has(slot.index)) return pieceText(slot, slot.filler, hole)
      return `⟨${hole.slot}⟩`
    }),
  )
  const key = meaningOf(text).replace(MARK, (_all, slot: string, opposite: string) => {
    if (!slots.includes(Number(slot))) slots.push(Number(slot))
    return `⟨${slots.indexOf(Number(slot))}${opposite}⟩`
  })
  // Numbers stand in the program as numbers, which no mark can.
  for (const { index, type } of template.slots) {
    if (type === 'number' && !slots.includes(index)) slots.push(index)
  }
  return { template, key, slots }
}

/**
 * A program as one expression: calls in place of the names that they are given, so that the order of steps
 * that do not depend on one another, and steps that nobody uses, make no difference.
 */
export function meaningOf(text: string): string {
  const lines = text.trim().split('\n')
  if (lines.some((line) => !/^\w+=\w*⟨?/.test(line) || /^(?:for|if)\b/.test(line))) return text
  const values = new Map<string, string>()
  let last = text
  for (const line of lines) {
    const at = line.indexOf('=')
    const call = line
      .slice(at + 1)
      .replace(/\{?\b([A-Z]+\d+|[A-Z_]+RESULT|[A-Z_]+ANSWER)\b\}?/g, (name) => {
        return values.get(name.replaceAll(/[{}]/g, '')) ?? name
      })
      .replaceAll(' xor ', ' != ')
    values.set(line.slice(0, at), `(${call})`)
    last = call
  }
  return last.replaceAll(/\((\([^()]*\))\)/g, '$1')
}

/** What a role is in the program, so that what is learnt of it in one shape holds in another. */
function placeOf(key: string, role: number): string {
  const before = key.slice(0, Math.max(0, key.indexOf(`⟨${role}⟩`)))
  const calls: string[] = []
  for (const [part, name] of before.matchAll(/([A-Z]+_?)?(?:⟨\d+⟩|[A-Z]+)?\(|\)/g)) {
    if (part === ')') calls.pop()
    else calls.push(name ?? '')
  }
  const word = /(\w*)[^\w]*$/.exec(before)?.[1] ?? ''
  return `${calls
    .filter((name) => name !== '')
    .slice(-2)
    .join(' ')} ${word}`
}

/** Forms that do not depend on how the instruction said a thing fill better. */
function firmness({ holes, slots }: Template): number {
  const pieces = [...holes.texts.values()].flat().filter((piece) => typeof piece !== 'string')
  const loose = pieces.filter(({ form }) => form === 'same').length
  return -loose - slots.filter(({ optional }) => optional).length
}

function lessonOf({ template, slots }: Reading, shape: number): Lesson {
  const tokens: Token[] = []
  const fills: { start: number; end: number; role: number }[] = []
  for (const part of template.parts) {
    if (part.kind === 'fixed') {
      tokens.push(part.token)
      continue
    }
    const { index, optional, filler } = part.slot
    if (optional) continue
    const start = tokens.length
    tokens.push(...filler)
    const role = slots.indexOf(index)
    if (role !== -1) fills.push({ start, end: tokens.length, role })
  }
  return { tokens, shape, fills }
}
