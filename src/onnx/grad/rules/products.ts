import { floatAttribute, intAttribute, stringAttribute } from '../../attribute.ts'
import { sizeOf } from '../../tensor.ts'
import type { GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import type { Value } from '../value.ts'
import { outputOf } from './elementwise.ts'

const matmul: GradRule = (node, out, g) => {
  const [a0, b0] = [g.value(inputOf(node, 0)), g.value(inputOf(node, 1))]
  // Operands of one axis are a row on the left and a column on the right.
  const a = a0.dims.length === 1 ? g.reshape(a0, [1, ...a0.dims]) : a0
  const b = b0.dims.length === 1 ? g.reshape(b0, [...b0.dims, 1]) : b0
  const [m, k, n] = [a.dims.at(-2) ?? 1, a.dims.at(-1) ?? 1, b.dims.at(-1) ?? 1]
  const rank = Math.max(a.dims.length, b.dims.length)
  const lead = g.value(outputOf(node)).dims.slice(0, rank - 2)
  const dy = g.reshape(first(out), [...lead, m, n])
  const da = (): Value => {
    const full = g.matmul(dy, g.flip(b))
    return g.reshape(g.unbroadcast(full, [...lead, m, k], a.dims), a0.dims)
  }
  const db = (): Value => {
    if (b.dims.length === 2 && a.dims.length > 2) {
      const rows = g.reshape(a, [sizeOf(a.dims) / k, k])
      const flat = g.reshape(dy, [sizeOf(dy.dims) / n, n])
      return g.reshape(g.matmul(g.flip(rows), flat), b0.dims)
    }
    const full = g.matmul(g.flip(a), dy)
    return g.reshape(g.unbroadcast(full, [...lead, k, n], b.dims), b0.dims)
  }
  return [g.wanted(a0.name) ? da() : null, g.wanted(b0.name) ? db() : null]
}

const gemm: GradRule = (node, out, g) => {
  const dy = first(out)
  const [a, b] = [g.value(inputOf(node, 0)), g.value(inputOf(node, 1))]
  const [ta, tb] = [intAttribute(node, 'transA', 0) === 1, intAttribute(node, 'transB', 0) === 1]
  const alpha = floatAttribute(node, 'alpha', 1)
  const product = (x: Value, y: Value, tx: boolean, ty: boolean, dims: readonly number[]): Value =>
    g.node('Gemm', [x, y], dims, { alpha, transA: Number(tx), transB: Number(ty) })
  const da = (): Value =>
    ta ? product(b, dy, tb, true, a.dims) : product(dy, b, false, !tb, a.dims)
  const db = (): Value =>
    tb ? product(dy, a, true, ta, b.dims) : product(a, dy, !ta, false, b.dims)
  const c = inputOf(node, 2)
  return [
    g.wanted(a.name) ? da() : null,
    g.wanted(b.name) ? db() : null,
    c !== '' && g.wanted(c)
      ? g.unbroadcast(g.times(dy, floatAttribute(node, 'beta', 1)), dy.dims, g.value(c).dims)
      : null,
  ]
}

interface Equation {
  readonly terms: readonly string[]
  readonly out: string
}

/** The equation with letters for the dots and the output written out. */
function readEquation(text: string, ranks: readonly number[]): Equation {
  const [left = '', right] = text.replaceAll(' ', '').split('->')
  const terms = left.split(',')
  const named = new Set(text)
  const spare = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((l) => !named.has(l))
  const dotted = terms.map((t, k) => (t.includes('...') ? (ranks[k] ?? 0) - t.length + 3 : 0))
  const most = Math.max(...dotted)
  const dots = (n: number): string => spare.slice(most - n, most).join('')
  const all = terms.join('').replaceAll('...', '')
  const once = [...new Set(all)]
    .filter((l) => all.split(l).length === 2)
    .sort()
    .join('')
  return {
    terms: terms.map((t, k) => t.replace('...', dots(dotted[k] ?? 0))),
    out: (right ?? `...${once}`).replace('...', dots(most)),
  }
}

const einsum: GradRule = (node, out, g) => {
  const operands = node.inputs.map((name) => g.value(name))
  const { terms, out: result } = readEquation(
    stringAttribute(node, 'equation', ''),
    operands.map((x) => x.dims.length),
  )
  if (terms.some((term) => new Set(term).size < term.length)) {
    g.refuse(node, 'for a letter twice in one operand')
  }
  const y = g.value(outputOf(node))
  return operands.map((x, i) => {
    if (!g.wanted(x.name)) return null
    const others = terms.flatMap((term, k) =>
      k === i ? [] : [{ term, value: operands[k] as Value }],
    )
    const known = new Set([result, ...others.map((o) => o.term)].join(''))
    const letters = [...(terms[i] ?? '')]
    const kept = letters.filter((l) => known.has(l)).join('')
    const left = [result, ...others.map((o) => o.term)].join(',')
    const sizes = new Map([...result].map((l, k) => [l, y.dims[k] ?? 1]))
    for (const o of others)
      [...o.term].forEach((l, k) => sizes.set(l, Math.max(sizes.get(l) ?? 1, o.value.dims[k] ?? 1)))
    const full = g.node(
      'Einsum',
      [first(out), ...others.map((o) => o.value)],
      [...kept].map((l) => sizes.get(l) ?? 1),
      { equation: `${left}->${kept}` },
    )
    // Letters of this operand alone were summed away: the gradient is the same all along them.
    const placed = g.reshape(
      full,
      letters.map((l) => (known.has(l) ? (sizes.get(l) ?? 1) : 1)),
    )
    return g.unbroadcast(placed, placed.dims, x.dims)
  })
}

/** Matrix products. */
export const productRules = {
  MatMul: matmul,
  Gemm: gemm,
  Einsum: einsum,
} satisfies Record<string, GradRule>
