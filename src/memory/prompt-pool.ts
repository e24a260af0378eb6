import { deepFreeze } from '../base/index.ts'
import { floatsOf, floatsText } from './exemplar.ts'

/** A learnt prompt of one training instance (clova §4.1): pool P maps tool and concept to these. */
export interface PromptEntry {
  readonly id: string
  readonly tool: string
  /** Normalised (clova §4.2); null for a common pool without concepts (VQA). */
  readonly concept: string | null
  /** What similarity is measured with. */
  readonly feature: Float32Array
  /** Flat values of the prompt; its shape stands beside it. */
  readonly prompt: Float32Array
  readonly shape: readonly number[]
  /** The lesson it belongs to: applied, kept out and undone with it as a whole. */
  readonly lesson: string
  /** Used only with the model version it was trained on (clova §4.4). */
  readonly model: { readonly name: string; readonly hash: string }
  /** The picture it was trained on; learning a concept again replaces entries of the same picture. */
  readonly picture?: string
  readonly createdAt: number
}

/** The pool P. */
export interface PromptPool {
  /** Entries of a concept, oldest first; exact name only. */
  list(tool: string, concept: string | null): Promise<readonly PromptEntry[]>
  concepts(tool: string): Promise<readonly string[]>
  put(entries: readonly PromptEntry[]): Promise<void>
  /** Removes the entries of a lesson and gives them back, for undo. */
  removeLesson(lesson: string): Promise<readonly PromptEntry[]>
  version(): Promise<number>
}

/** A pool P in memory. */
export function memoryPrompts(start: Iterable<PromptEntry> = []): PromptPool {
  const byId = new Map<string, PromptEntry>()
  let version = 0
  for (const entry of start) byId.set(entry.id, deepFreeze({ ...entry }))
  return {
    list: async (tool, concept) =>
      [...byId.values()]
        .filter((entry) => entry.tool === tool && entry.concept === concept)
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    concepts: async (tool) => [
      ...new Set(
        [...byId.values()].flatMap((entry) =>
          entry.tool === tool && entry.concept !== null ? [entry.concept] : [],
        ),
      ),
    ],
    put: async (entries) => {
      for (const entry of entries) byId.set(entry.id, deepFreeze({ ...entry }))
      version++
    },
    removeLesson: async (lesson) => {
      const gone = [...byId.values()].filter((entry) => entry.lesson === lesson)
      for (const { id } of gone) byId.delete(id)
      if (gone.length > 0) version++
      return gone
    },
    version: async () => version,
  }
}

/** What a prompt is found by, without its numbers: thousands of them are looked through at a call. */
export type PromptHead = Omit<PromptEntry, 'prompt'>

/** The tool and concept of a prompt as one text, by which stores index it. */
export function promptTopic(tool: string, concept: string | null): string {
  return concept === null ? tool : `${tool} ${concept}`
}

/** The entry without its numbers, as JSON text; the feature as base 64 of little-endian 32-bit floats. */
export function promptHeadText({ prompt: _, ...head }: PromptEntry): string {
  return JSON.stringify({ ...head, feature: floatsText(head.feature) })
}

export function promptHeadOf(text: string): PromptHead {
  const json = JSON.parse(text) as Omit<PromptHead, 'feature'> & { readonly feature: string }
  return Object.freeze({ ...json, feature: floatsOf(json.feature) })
}

/** The entry as JSON text; its numbers as base 64 of little-endian 32-bit floats. */
export function promptText(entry: PromptEntry): string {
  return JSON.stringify({
    ...entry,
    feature: floatsText(entry.feature),
    prompt: floatsText(entry.prompt),
  })
}

export function promptOf(text: string): PromptEntry {
  const json = JSON.parse(text) as Omit<PromptEntry, 'feature' | 'prompt'> & {
    readonly feature: string
    readonly prompt: string
  }
  return Object.freeze({ ...json, feature: floatsOf(json.feature), prompt: floatsOf(json.prompt) })
}
