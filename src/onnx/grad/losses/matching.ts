/**
 * The cheapest way to give each row a column of its own.
 *
 * Shortest augmenting paths with potentials, O(rows²·columns).
 *
 * @param cost  rows × columns, finite; more columns than rows or as many
 * @returns the column of each row
 * @source Jonker and Volgenant, A shortest augmenting path algorithm for linear assignment problems
 */
export function assign(cost: readonly (readonly number[])[]): number[] {
  const n = cost.length
  const m = cost[0]?.length ?? 0
  if (m < n) throw new RangeError(`${n} rows cannot have a column each of ${m}`)
  // Row and column 0 are a ghost from which each search starts.
  const u = new Float64Array(n + 1)
  const v = new Float64Array(m + 1)
  const rowOf = new Int32Array(m + 1)
  for (let row = 1; row <= n; row++) augment(cost, row, { u, v, rowOf })
  const columns = new Array<number>(n).fill(-1)
  for (let j = 1; j <= m; j++) if ((rowOf[j] ?? 0) > 0) columns[(rowOf[j] ?? 0) - 1] = j - 1
  return columns
}

interface Tableau {
  readonly u: Float64Array
  readonly v: Float64Array
  readonly rowOf: Int32Array
}

function augment(cost: readonly (readonly number[])[], start: number, t: Tableau): void {
  const m = t.v.length - 1
  const nearest = new Float64Array(m + 1).fill(Infinity)
  const before = new Int32Array(m + 1)
  const done = new Uint8Array(m + 1)
  const get = (list: ArrayLike<number>, i: number): number => list[i] ?? 0
  t.rowOf[0] = start
  let j = 0
  do {
    done[j] = 1
    const row = get(t.rowOf, j)
    let [best, next] = [Infinity, 0]
    for (let k = 1; k <= m; k++) {
      if (done[k] === 1) continue
      const reduced = (cost[row - 1]?.[k - 1] ?? 0) - get(t.u, row) - get(t.v, k)
      if (reduced < get(nearest, k)) {
        nearest[k] = reduced
        before[k] = j
      }
      if (get(nearest, k) < best) [best, next] = [get(nearest, k), k]
    }
    for (let k = 0; k <= m; k++) {
      if (done[k] === 1) {
        const r = get(t.rowOf, k)
        t.u[r] = get(t.u, r) + best
        t.v[k] = get(t.v, k) - best
      } else nearest[k] = get(nearest, k) - best
    }
    j = next
  } while (t.rowOf[j] !== 0)
  // Back along the path, each column takes the row of the one before.
  while (j !== 0) {
    const k = get(before, j)
    t.rowOf[j] = get(t.rowOf, k)
    j = k
  }
}

export interface MatchingCosts {
  /** Weight of the class term; default 2. */
  readonly classes?: number
  /** Weight of the L1 distance; default 5. */
  readonly l1?: number
  /** Weight of the generalised overlap; default 2. */
  readonly giou?: number
  /** Of the focal cost; defaults 0.25 and 2. */
  readonly alpha?: number
  readonly gamma?: number
}

/** What a detector said of one picture, and what is there. */
export interface MatchingProblem {
  /** [Q, C] of logits, flat. */
  readonly logits: ArrayLike<number>
  /** [Q, 4] of corners, flat, in the frame of `targets`. */
  readonly boxes: ArrayLike<number>
  readonly classes: number
  /** For each object its corners and its class. */
  readonly targets: readonly { readonly box: readonly number[]; readonly label: number }[]
}

/**
 * The query that answers for each object: Hungarian matching over class, L1 and overlap.
 *
 * It has no gradient: computed from outputs, fed to the training run as indices.
 *
 * @source Carion et al., DETR §3.1; weights as CLOVA's LOC (2, 5, 2)
 */
export function matchQueries(problem: MatchingProblem, costs: MatchingCosts = {}): number[] {
  const { classes: kinds, targets, boxes } = problem
  const queries = boxes.length / 4
  const matrix = targets.map(({ box, label }) =>
    Array.from({ length: queries }, (_, q) => {
      const got = Array.from({ length: 4 }, (_, k) => boxes[4 * q + k] ?? 0)
      const logit = problem.logits[q * kinds + label] ?? 0
      return pairCost(got, box, logit, costs)
    }),
  )
  return matrix.length === 0 ? [] : assign(matrix)
}

function pairCost(
  got: readonly number[],
  box: readonly number[],
  logit: number,
  costs: MatchingCosts,
): number {
  const { classes = 2, l1 = 5, giou = 2, alpha = 0.25, gamma = 2 } = costs
  const p = 1 / (1 + Math.exp(-logit))
  const there = alpha * (1 - p) ** gamma * -Math.log(p + 1e-8)
  const absent = (1 - alpha) * p ** gamma * -Math.log(1 - p + 1e-8)
  const distance = got.reduce((sum, c, k) => sum + Math.abs(c - (box[k] ?? 0)), 0)
  return classes * (there - absent) + l1 * distance - giou * giouOf(got, box)
}

/** I/U − (H − U)/H of two boxes as corners. */
export function giouOf(a: readonly number[], b: readonly number[]): number {
  const [ax1 = 0, ay1 = 0, ax2 = 0, ay2 = 0] = a
  const [bx1 = 0, by1 = 0, bx2 = 0, by2 = 0] = b
  const w = Math.max(0, Math.min(ax2, bx2) - Math.max(ax1, bx1))
  const h = Math.max(0, Math.min(ay2, by2) - Math.max(ay1, by1))
  const union = (ax2 - ax1) * (ay2 - ay1) + (bx2 - bx1) * (by2 - by1) - w * h
  const hull = (Math.max(ax2, bx2) - Math.min(ax1, bx1)) * (Math.max(ay2, by2) - Math.min(ay1, by1))
  return (w * h) / union - (hull - union) / hull
}
