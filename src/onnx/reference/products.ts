import { floatAttribute, intAttribute, stringAttribute } from '../attribute.ts'
import type { Kernel } from './evaluate.ts'
import { at, coordsOf, count, flatOf, matmul, nd, permute, zip } from './nd.ts'
import type { Nd } from './nd.ts'

const gemm: Kernel = (node, [a, b, c]) => {
  const flip = (x: Nd, name: string): Nd =>
    intAttribute(node, name, 0) === 1 ? permute(x, [1, 0]) : x
  const product = matmul(flip(a, 'transA'), flip(b, 'transB'))
  const [alpha, beta] = [floatAttribute(node, 'alpha', 1), floatAttribute(node, 'beta', 1)]
  return [zip([product, c ?? nd([], () => 0)], (p, q) => alpha * p + beta * q)]
}

/** The dots written as letters, as many as the first operand that has them has axes for. */
function withoutDots(equation: string, xs: readonly Nd[]): string {
  const terms = equation.split('->')[0]?.split(',') ?? []
  const k = terms.findIndex((term) => term.includes('...'))
  const axes = (xs[k]?.dims.length ?? 0) - (terms[k]?.length ?? 0) + 3
  return equation.replaceAll('...', 'UVWXYZ'.slice(0, axes))
}

/** Sums of products over every letter that is not in the output. */
export function einsum(equation: string, xs: readonly Nd[]): Nd {
  const [left = '', right] = withoutDots(equation.replaceAll(' ', ''), xs).split('->')
  const terms = left.split(',')
  const sizes = new Map<string, number>()
  terms.forEach((term, k) => [...term].forEach((l, j) => sizes.set(l, xs[k]?.dims[j] ?? 1)))
  const once = [...sizes.keys()].filter((l) => left.split(l).length === 2).sort()
  const out = [...(right ?? once.join(''))]
  const summed = [...sizes.keys()].filter((l) => !out.includes(l))
  const dimsOf = (letters: readonly string[]): number[] => letters.map((l) => sizes.get(l) ?? 1)
  const inner = dimsOf(summed)
  return nd(dimsOf(out), (i) => {
    const place = new Map<string, number>()
    coordsOf(i, dimsOf(out)).forEach((c, k) => place.set(out[k] ?? '', c))
    let total = 0
    for (let j = 0; j < count(inner); j++) {
      coordsOf(j, inner).forEach((c, k) => place.set(summed[k] ?? '', c))
      total += terms.reduce((product, term, k) => {
        const x = xs[k]
        if (x === undefined) return NaN
        return (
          product *
          at(
            x,
            flatOf(
              [...term].map((l) => place.get(l) ?? 0),
              x.dims,
            ),
          )
        )
      }, 1)
    }
    return total
  })
}

/** Matrix products. */
export const products: Readonly<Record<string, Kernel>> = {
  MatMul: (_, [a, b]) => [matmul(a, b)],
  Gemm: gemm,
  Einsum: (node, xs) => [einsum(stringAttribute(node, 'equation', ''), xs)],
}
