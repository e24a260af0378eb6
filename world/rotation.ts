/** 65536·cos and 65536·sin for 0 to 15 degrees, typed in because engines differ in the last bit of sine. */
const TURNS: readonly (readonly [cos: number, sin: number])[] = [
  [65536, 0],
  [65526, 1144],
  [65496, 2287],
  [65446, 3430],
  [65376, 4572],
  [65287, 5712],
  [65177, 6850],
  [65048, 7987],
  [64898, 9121],
  [64729, 10252],
  [64540, 11380],
  [64332, 12505],
  [64104, 13626],
  [63856, 14742],
  [63589, 15855],
  [63303, 16962],
]

/** Fixed-point cosine and sine (16 fractional bits) of a whole angle from −15 to 15 degrees. */
export function turn(degrees: number): readonly [cos: number, sin: number] {
  const entry = TURNS[Math.abs(degrees)]
  if (entry === undefined)
    throw new RangeError(`Expected an angle of -15 to 15 but got ${degrees}.`)
  return degrees < 0 ? [entry[0], -entry[1]] : entry
}
