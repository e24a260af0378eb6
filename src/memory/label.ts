import { deepFreeze } from '../base/index.ts'
import type { Json } from '../base/index.ts'

/**
 * What a person said about something: true of it, or (a tombstone) never true of it.
 *
 * Never overwritten by a run (product R1); a newer label of the same person on the same subject
 * replaces the older one (R2).
 */
export interface Label {
  readonly id: string
  /** What it is about: a picture's hash with a box, a question, a face. */
  readonly subject: string
  /** Which question about the subject it answers, such as `name` or `answer`. */
  readonly field: string
  readonly value: Json
  /** True for a rejection: `value` is not so. */
  readonly tombstone: boolean
  readonly author: string
  readonly at: number
  /** Run and step it was given on. */
  readonly run?: string
}

/** Human labels and tombstones. */
export interface LabelBook {
  /** All that stands about a subject, oldest first. */
  about(subject: string): Promise<readonly Label[]>
  put(label: Label): Promise<void>
  /** Withdraws one; the only way by which a label goes. */
  revoke(id: string): Promise<Label | undefined>
}

/** Labels in memory. */
export function memoryLabels(): LabelBook {
  const byId = new Map<string, Label>()
  return {
    about: async (subject) =>
      [...byId.values()]
        .filter((label) => label.subject === subject)
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
    put: async (label) => {
      for (const old of byId.values()) if (replaces(label, old)) byId.delete(old.id)
      byId.set(label.id, deepFreeze({ ...label }))
    },
    revoke: async (id) => {
      const label = byId.get(id)
      byId.delete(id)
      return label
    },
  }
}

/** Statements replace statements; tombstones add up, and fall only to the opposite of themselves. */
export function replaces(label: Label, old: Label): boolean {
  if (label.subject !== old.subject || label.field !== old.field) return false
  const sameValue = JSON.stringify(label.value) === JSON.stringify(old.value)
  return label.tombstone || old.tombstone ? sameValue : true
}
