import type { State } from './state.ts'
import type { Value } from './value.ts'

/** Rejects the cells of steps that will never have a value, because the run ended before them. */
export const HALT = Symbol('the run ended')

/** A variable whose value may still be computed. */
export class Cell {
  readonly #settled = Promise.withResolvers<Value>()
  #value: Value | undefined

  constructor() {
    // Nobody may wait for the value when the run ends.
    this.#settled.promise.catch(() => {})
  }

  /** A cell that has its value. */
  static of(value: Value): Cell {
    const cell = new Cell()
    cell.set(value)
    return cell
  }

  /** The list of the values of some cells. */
  static all(cells: readonly Cell[]): Cell {
    const cell = new Cell()
    Promise.all(cells.map((one) => one.promise)).then(
      (values) => cell.set(Object.freeze(values)),
      () => cell.halt(),
    )
    return cell
  }

  /** The value once it is there. */
  get value(): Value | undefined {
    return this.#value
  }

  get promise(): Promise<Value> {
    return this.#settled.promise
  }

  set(value: Value): void {
    this.#value = value
    this.#settled.resolve(value)
  }

  halt(): void {
    this.#settled.reject(HALT)
  }
}

/** Variables at a point of the run: a list that only grows at its head, so that each point stays. */
export interface Environment {
  readonly name: string
  readonly cell: Cell
  readonly rest: Environment | null
}

export function bind(rest: Environment | null, name: string, cell: Cell): Environment {
  return { name, cell, rest }
}

export function lookup(environment: Environment | null, name: string): Cell | undefined {
  for (let at = environment; at !== null; at = at.rest) if (at.name === name) return at.cell
  return undefined
}

/** Waits for the values of some names. */
export async function stateFor(
  environment: Environment | null,
  names: Iterable<string>,
): Promise<State> {
  const state = new Map<string, Value>()
  for (const name of names) {
    const cell = lookup(environment, name)
    if (cell !== undefined) state.set(name, cell.value ?? (await cell.promise))
  }
  return state
}

/** All values known at a point of the run. */
export function stateAt(environment: Environment | null): State {
  const found = new Map<string, Value>()
  for (let at = environment; at !== null; at = at.rest) {
    const { value } = at.cell
    if (value !== undefined && !found.has(at.name)) found.set(at.name, value)
  }
  return new Map([...found].reverse())
}
