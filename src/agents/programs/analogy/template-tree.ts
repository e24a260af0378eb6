/** A word that an entry cannot do without, and what it costs to do without it all the same. */
export interface Term {
  readonly term: string
  readonly weight: number
}

interface Node<T> {
  /** Words that may be missing: closed classes, so there are few. */
  readonly light: Map<string, { readonly weight: number; readonly node: Node<T> }>
  readonly heavy: Map<string, Node<T>>
  readonly entries: Set<T>
}

/** What weighs less may be missing in a search. */
const HEAVY = 1

/**
 * Sets of words as a tree, to find all sets that lie within a given one but for a little.
 *
 * Words stand in one order on every path, so a search follows only words that the given set has, or that
 * are light enough to be missing: its time depends on the set, hardly on how many sets are stored.
 */
export class TemplateTree<T> {
  readonly #root: Node<T> = emptyNode()

  add(terms: readonly Term[], entry: T): void {
    let node = this.#root
    for (const { term, weight } of ordered(terms)) {
      const next = childOf(node, term) ?? emptyNode<T>()
      if (weight < HEAVY) node.light.set(term, { weight, node: next })
      else node.heavy.set(term, next)
      node = next
    }
    node.entries.add(entry)
  }

  remove(terms: readonly Term[], entry: T): void {
    const path = [this.#root]
    const names = ordered(terms).map(({ term }) => term)
    for (const name of names) {
      const last = path.at(-1)
      const next = last === undefined ? undefined : childOf(last, name)
      if (next === undefined) return
      path.push(next)
    }
    path.at(-1)?.entries.delete(entry)
    for (let i = path.length - 1; i > 0; i--) {
      const node = path[i]
      if (node === undefined || node.entries.size + node.light.size + node.heavy.size > 0) return
      path[i - 1]?.light.delete(names[i - 1] ?? '')
      path[i - 1]?.heavy.delete(names[i - 1] ?? '')
    }
  }

  /** Entries all of whose terms are in `given`, but for light terms that weigh at most `limit` together. */
  within(given: ReadonlySet<string>, limit: number): T[] {
    const found: T[] = []
    const walk = (node: Node<T>, left: number): void => {
      for (const entry of node.entries) found.push(entry)
      for (const [term, child] of node.light) {
        const price = given.has(term) ? 0 : child.weight
        if (price <= left) walk(child.node, left - price)
      }
      if (node.heavy.size === 0) return
      for (const term of given) {
        const child = node.heavy.get(term)
        if (child !== undefined) walk(child, left)
      }
    }
    walk(this.#root, limit)
    return found
  }
}

function emptyNode<T>(): Node<T> {
  return { light: new Map(), heavy: new Map(), entries: new Set() }
}

function childOf<T>(node: Node<T>, term: string): Node<T> | undefined {
  return node.heavy.get(term) ?? node.light.get(term)?.node
}

/** Light ones first, so that what may be missing is settled near the root. */
function ordered(terms: readonly Term[]): readonly Term[] {
  return [...terms].sort((a, b) => a.weight - b.weight || (a.term < b.term ? -1 : 1))
}
