import type { Clock, Random } from '../../../base/index.ts'

/** How a worker is chosen among those that have a name. */
export type DispatchMethod = 'shortest_queue' | 'lottery'

/** A worker's own account of itself. */
export interface WorkerStatus {
  readonly model_names: readonly string[]
  readonly speed: number
  readonly queue_length: number
}

/** What the controller knows of a worker. */
export interface Worker {
  readonly address: string
  readonly names: readonly string[]
  readonly speed: number
  /** Of the last heartbeat, plus one for each hand-out since. */
  readonly queue: number
  readonly beats: boolean
  /** `unverified`: it did not answer the last refresh; `failed`: a connection was refused. */
  readonly state: 'ok' | 'unverified' | 'failed'
  /** Monotonic milliseconds of its last sign of life. */
  readonly seen: number
  readonly multimodal: boolean
  readonly error?: string
}

export interface WorkerTableOptions {
  readonly clock: Clock
  readonly random: Random
  readonly method?: DispatchMethod
  /** Milliseconds without a sign of life after which a worker goes; default 100 s. */
  readonly expireMs?: number
}

/**
 * The workers of a controller, in order of registration. Pure bookkeeping: it asks nobody.
 *
 * @source llava-plus §5.1, §5.2
 */
export class WorkerTable {
  readonly #workers = new Map<string, Worker>()
  /** Addresses by name, so that a request does not look at every worker. */
  readonly #byName = new Map<string, Set<string>>()
  readonly #options: WorkerTableOptions
  /** The list of names while nobody came, went or failed, and until when nobody can expire. */
  #names: { readonly list: readonly string[]; readonly until: number } | undefined

  constructor(options: WorkerTableOptions) {
    this.#options = options
  }

  list(): readonly Worker[] {
    this.expire()
    return [...this.#workers.values()]
  }

  get(address: string): Worker | undefined {
    return this.#workers.get(address)
  }

  /** Registering again overwrites, and keeps the place in the order. */
  register(address: string, status: WorkerStatus, beats: boolean, multimodal = false): void {
    this.#names = undefined
    this.#unname(address, status.model_names)
    for (const name of status.model_names) {
      this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(address))
    }
    this.#workers.set(address, {
      ...{
        address,
        names: [...new Set(status.model_names)],
        speed: status.speed,
        beats,
        multimodal,
      },
      ...{ queue: status.queue_length, state: 'ok', seen: this.#options.clock.tick() },
    })
  }

  /** Takes a worker out of the index, but for names that it keeps: there its place stays. */
  #unname(address: string, kept: readonly string[] = []): void {
    for (const name of this.#workers.get(address)?.names ?? []) {
      if (kept.includes(name)) continue
      const addresses = this.#byName.get(name)
      addresses?.delete(address)
      if (addresses?.size === 0) this.#byName.delete(name)
    }
  }

  #forget(address: string): void {
    this.#names = undefined
    this.#unname(address)
    this.#workers.delete(address)
  }

  /** Those that have a name, in order of registration. */
  #named(name: string): readonly Worker[] {
    const oldest = this.#oldest()
    const found: Worker[] = []
    for (const address of this.#byName.get(name) ?? []) {
      const worker = this.#workers.get(address)
      if (worker === undefined) continue
      if (worker.beats && worker.seen < oldest) this.#forget(address)
      else found.push(worker)
    }
    return found
  }

  #oldest(): number {
    const { clock, expireMs = 100_000 } = this.#options
    return clock.tick() - expireMs
  }

  /** False when it is not known and must register again. */
  beat(address: string, queue: number): boolean {
    const worker = this.#workers.get(address)
    if (worker === undefined) return false
    const seen = this.#options.clock.tick()
    // A heartbeat is no proof of life: a refused connection counts until it answers again.
    const state = worker.state === 'failed' ? 'failed' : 'ok'
    this.#workers.set(address, { ...worker, queue, seen, state })
    return true
  }

  answered(address: string, status: WorkerStatus): void {
    const worker = this.#workers.get(address)
    if (worker !== undefined) this.register(address, status, worker.beats, worker.multimodal)
  }

  /** It did not answer: kept while it is young, but not chosen before a probe. */
  silent(address: string, error: string): void {
    this.#note(address, 'unverified', error)
  }

  /** It refused a connection: not chosen until it answers. */
  failed(address: string, error: string): void {
    this.#note(address, 'failed', error)
  }

  #note(address: string, state: Worker['state'], error: string): void {
    const worker = this.#workers.get(address)
    if (worker === undefined) return
    this.#names = undefined
    this.#workers.set(address, { ...worker, state, error })
  }

  /** Forgets those that were not heard of for too long; others never expire. */
  expire(): void {
    const oldest = this.#oldest()
    for (const { address, beats, seen } of this.#workers.values()) {
      if (beats && seen < oldest) this.#forget(address)
    }
  }

  names(): readonly string[] {
    const { clock, expireMs = 100_000 } = this.#options
    if (this.#names !== undefined && clock.tick() < this.#names.until) return this.#names.list
    const all = this.list()
    const alive = all.filter(({ state }) => state !== 'failed')
    // A heartbeat only puts off when a worker expires, so this stays true without looking again.
    const oldest = all.reduce((min, one) => (one.beats ? Math.min(min, one.seen) : min), Infinity)
    const list = Object.freeze([...new Set(alive.flatMap(({ names }) => names))])
    this.#names = { list, until: oldest + expireMs }
    return list
  }

  /** Workers that have a name and did not answer lately: to be probed when no other has it. */
  doubtful(name: string): readonly Worker[] {
    return this.#named(name).filter(({ state }) => state !== 'ok')
  }

  /** The worker for a name by the dispatch rule; handing it out lengthens its queue by one. */
  choose(name: string): Worker | undefined {
    const able = this.#named(name).filter(({ speed, state }) => speed > 0 && state === 'ok')
    if (this.#options.method === 'lottery') return this.#drawn(able)
    let best: Worker | undefined
    for (const one of able) {
      if (best === undefined || one.queue / one.speed < best.queue / best.speed) best = one
    }
    if (best !== undefined) this.#workers.set(best.address, { ...best, queue: best.queue + 1 })
    return best
  }

  #drawn(able: readonly Worker[]): Worker | undefined {
    const total = able.reduce((sum, { speed }) => sum + speed, 0)
    if (total < 1e-4) return undefined
    let at = this.#options.random.next() * total
    for (const one of able) {
      at -= one.speed
      if (at < 0) return one
    }
    return able.at(-1)
  }
}
