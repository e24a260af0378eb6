/** A seeded generator: same seed, same numbers, on every machine. */
export interface Random {
  /** Uniform in [0, 1), 32 bits of it random. */
  next(): number
  /** Uniform whole number in [0, n). */
  below(n: number): number
  /** Standard normal (Box–Muller). */
  normal(): number
  /** An independent generator for a named purpose. */
  fork(name: string): Random
  /** The state, to resume with `restoreRandom`. */
  state(): number
}

/** `mulberry32`, seeded by a number or text. */
export function seededRandom(seed: number | string): Random {
  const start = typeof seed === 'number' ? seed >>> 0 : hash32(seed)
  return generator(start, start)
}

/** The generator whose `state()` was saved. */
export function restoreRandom(state: number): Random {
  return generator(state >>> 0, state >>> 0)
}

function generator(start: number, origin: number): Random {
  let state = start
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    below: (n) => Math.floor(next() * n),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    fork: (name) => seededRandom(`${origin}/${name}`),
    state: () => state,
  }
}

/** FNV-1a of a text, 32 bits. */
export function hash32(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}
