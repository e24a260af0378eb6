/** x right, y down. */
export type Point = readonly [x: number, y: number]

/** Row-major 3 x 3. */
export type Matrix3 = readonly number[]

/** A matrix from its rows. */
export function createMatrix(
  a: readonly [number, number, number],
  b: readonly [number, number, number],
  c: readonly [number, number, number],
): Matrix3 {
  return [...a, ...b, ...c]
}

/** A point through a perspective map. */
export function transform(m: Matrix3, x: number, y: number): Point {
  const at = (i: number): number => m[i] as number
  const w = at(6) * x + at(7) * y + at(8)
  return [(at(0) * x + at(1) * y + at(2)) / w, (at(3) * x + at(4) * y + at(5)) / w]
}

/**
 * The perspective map that takes four points to four others.
 *
 * @returns undefined when three of them lie on a line
 */
export function solveHomography(from: readonly Point[], to: readonly Point[]): Matrix3 | undefined {
  const rows: number[][] = []
  from.forEach(([x, y], i) => {
    const [u, v] = to[i] ?? [0, 0]
    rows.push([x, y, 1, 0, 0, 0, -x * u, -y * u, u])
    rows.push([0, 0, 0, x, y, 1, -x * v, -y * v, v])
  })
  const solved = eliminate(rows)
  return solved === undefined ? undefined : [...solved, 1]
}

/** Gauss with row pivoting; each row ends with its right side. */
function eliminate(rows: number[][]): number[] | undefined {
  const n = rows.length
  for (let k = 0; k < n; k++) {
    let best = k
    for (let r = k + 1; r < n; r++) {
      if (Math.abs(rows[r]?.[k] ?? 0) > Math.abs(rows[best]?.[k] ?? 0)) best = r
    }
    const pivot = rows[best] as number[]
    rows[best] = rows[k] as number[]
    rows[k] = pivot
    const head = pivot[k] as number
    if (Math.abs(head) < 1e-9) return undefined
    for (let r = 0; r < n; r++) {
      const row = rows[r] as number[]
      if (r === k || row[k] === 0) continue
      const factor = (row[k] as number) / head
      for (let c = k; c <= n; c++) row[c] = (row[c] as number) - factor * (pivot[c] as number)
    }
  }
  return rows.map((row, i) => (row[n] as number) / (row[i] as number))
}
