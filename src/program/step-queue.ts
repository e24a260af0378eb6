import type { ErrorData } from '../base/index.ts'
import { Cell } from './cell.ts'
import type { Environment } from './cell.ts'
import type { CallStep } from './step.ts'

/** A place in the order of the text for a step that may still be running. */
export interface Slot {
  readonly index: number
  /** The variable it sets. */
  readonly cell: Cell
  /** Variables after the step. */
  readonly after: Environment | null
  /** Fires when the step shall stop. */
  readonly controller: AbortController
}

export interface QueueEnd {
  readonly error: ErrorData
  /** Index of the failing step; undefined for a condition or a loop. */
  readonly at?: number
}

interface Entry {
  readonly slot: Slot
  /** What came of the step; undefined while it runs. */
  outcome?: { readonly step?: CallStep; readonly error?: ErrorData }
}

/**
 * Steps run side by side, but are told in the order of the text, and the first failure in that order
 * ends the run whichever step fails first in time: so a run repeats exactly.
 */
export class StepQueue {
  readonly steps: CallStep[] = []
  readonly afters: (Environment | null)[] = []
  readonly #entries: Entry[] = []
  readonly #tell: (step: CallStep) => void
  readonly #ended = Promise.withResolvers<QueueEnd | undefined>()
  #next = 0
  /** Nothing from this index on matters any more. */
  #limit = Infinity
  #closed = false
  #over = false

  constructor(tell: (step: CallStep) => void) {
    this.#tell = tell
    this.#ended.promise.catch(() => {})
  }

  /** Resolves when every step is told, or with the failure that ended the run. */
  get ended(): Promise<QueueEnd | undefined> {
    return this.#ended.promise
  }

  get halted(): boolean {
    return this.#over || this.#limit < Infinity
  }

  get size(): number {
    return this.#entries.length
  }

  open(cell: Cell, after: Environment | null): Slot {
    const slot = { index: this.#entries.length, cell, after, controller: new AbortController() }
    this.#entries.push({ slot })
    return slot
  }

  /** A step is done; with `error` it failed. */
  settle(slot: Slot, step: CallStep): void {
    const entry = this.#entries[slot.index]
    if (this.#over || entry === undefined || slot.index > this.#limit) return
    entry.outcome = { step, error: step.error }
    if (step.error !== undefined) this.#stopAfter(slot.index)
    this.#flush()
  }

  /** Something between steps failed, such as a condition. */
  failHere(error: ErrorData): void {
    if (this.halted) return
    const slot = this.open(new Cell(), null)
    const entry = this.#entries[slot.index]
    if (entry !== undefined) entry.outcome = { error }
    this.#stopAfter(slot.index)
    this.#flush()
  }

  /** No more steps will be opened. */
  close(): void {
    this.#closed = true
    this.#flush()
  }

  /** Ends the run now with `error`; `trace` gives the record of the first step still running. */
  cut(error: ErrorData, trace: (slot: Slot) => CallStep | undefined): void {
    if (this.#over) return
    this.#over = true
    const entry = this.#entries[this.#next]
    const step = entry && trace(entry.slot)
    this.#haltFrom(this.#next, new DOMException(error.message, 'AbortError'))
    if (step !== undefined) this.#record(step, entry?.slot.after ?? null)
    this.#ended.resolve({ error, ...(step === undefined ? {} : { at: step.index }) })
  }

  /** A fault that is no step's, such as one thrown by who listens. */
  crash(error: unknown): void {
    this.#over = true
    this.#haltFrom(0, error)
    this.#ended.reject(error)
  }

  #haltFrom(index: number, reason: unknown): void {
    for (const { slot } of this.#entries.slice(index)) {
      slot.controller.abort(reason)
      slot.cell.halt()
    }
  }

  #stopAfter(index: number): void {
    this.#limit = Math.min(this.#limit, index)
    this.#haltFrom(index + 1, new DOMException('An earlier step failed.', 'AbortError'))
  }

  #flush(): void {
    try {
      for (let entry = this.#entries[this.#next]; !this.#over; entry = this.#entries[this.#next]) {
        if (entry === undefined) {
          if (!this.#closed) return
          this.#over = true
          return this.#ended.resolve(undefined)
        }
        if (entry.outcome === undefined) return
        this.#next++
        const { step, error } = entry.outcome
        if (step !== undefined) this.#record(step, entry.slot.after)
        if (error === undefined) continue
        this.#over = true
        entry.slot.cell.halt()
        return this.#ended.resolve({ error, ...(step === undefined ? {} : { at: step.index }) })
      }
    } catch (error) {
      this.crash(error)
    }
  }

  #record(step: CallStep, after: Environment | null): void {
    this.steps.push(step)
    this.afters.push(after)
    this.#tell(step)
  }
}
