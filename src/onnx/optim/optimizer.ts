/** Numbers of one trainable value, flat and row-major. */
export type Floats = Float32Array | Float64Array

/** Trainable values, or gradients of them, by name. */
export type Params = Readonly<Record<string, Floats>>

/**
 * A pair of pure functions: nothing given is changed, everything returned is new.
 *
 * `update` gives what is to be added to the parameters, not the parameters, so that pairs chain.
 * The state holds numbers, typed arrays and plain lists only: it can be stored and resumed from.
 */
export interface Optimizer<S = unknown> {
  readonly init: (params: Params) => S
  readonly update: (grads: Params, state: S, params: Params) => readonly [updates: Params, state: S]
}

/** Zeros of the same kind and length. */
export function emptyLike(like: Floats): Floats {
  return like instanceof Float64Array
    ? new Float64Array(like.length)
    : new Float32Array(like.length)
}

/** A list of the same kind and length, made by `value(i)`. */
export function floatsLike(like: Floats, value: (i: number) => number): Floats {
  const made = emptyLike(like)
  for (let i = 0; i < made.length; i++) made[i] = value(i)
  return made
}

/** a + factor·b, element by element, in a new list. */
export function addScaled(a: Floats, b: Floats, factor: number): Floats {
  const made = emptyLike(a)
  // Both have the length of a.
  for (let i = 0; i < made.length; i++) made[i] = a[i]! + factor * b[i]!
  return made
}

/** factor·a, element by element, in a new list. */
export function scaled(a: Floats, factor: number): Floats {
  const made = emptyLike(a)
  for (let i = 0; i < made.length; i++) made[i] = factor * a[i]! // of the same length
  return made
}

/** Each entry of `params` put through `change`; names and order stay. */
export function mapParams(
  params: Params,
  change: (values: Floats, name: string) => Floats,
): Params {
  return Object.fromEntries(Object.entries(params).map(([name, v]) => [name, change(v, name)]))
}

/** Zeros in the sizes of `params`. */
export function zerosLike(params: Params): Params {
  return mapParams(params, emptyLike)
}

/** `params` with `updates` added; a value without an update is passed on as it is. */
export function applyUpdates(params: Params, updates: Params): Params {
  return mapParams(params, (v, name) => {
    const u = updates[name]
    return u === undefined ? v : addScaled(v, u, 1)
  })
}

/** Optimisers one after another: what one gives is the gradient of the next. */
export function chain(...parts: readonly Optimizer[]): Optimizer<readonly unknown[]> {
  return {
    init: (params) => parts.map((part) => part.init(params)),
    update: (grads, state, params) => {
      const next: unknown[] = []
      const updates = parts.reduce((g, part, i) => {
        const [u, s] = part.update(g, state[i], params)
        next.push(s)
        return u
      }, grads)
      return [updates, next]
    },
  }
}

/** Every update times a fixed number. */
export function scale(factor: number): Optimizer<null> {
  return {
    init: () => null,
    update: (grads) => [mapParams(grads, (g) => scaled(g, factor)), null],
  }
}
