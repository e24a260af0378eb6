/** An edge of the graph of allowed moves, as decisions made it. */
export interface GraphEdge {
  readonly from: string
  readonly tool: string
  /** How often it was taken, and how often that told something. */
  readonly n: number
  readonly ok: number
}

export interface PlacedNode {
  readonly name: string
  readonly x: number
  readonly y: number
}

export interface PlacedEdge extends GraphEdge {
  /** SVG path from node to node. */
  readonly path: string
  /** 1..5 */
  readonly width: number
}

export interface PlacedGraph {
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
}

/** The graph's drawing is this wide and high. */
export const GRAPH_SIDE = 480
const RING = 195
const NODE = 39

/** Places states on a ring, START on top, and moves as arcs between them; wider ones were taken more often. */
export function placeGraph(edges: readonly GraphEdge[]): PlacedGraph {
  const names = [...new Set(edges.flatMap(({ from, tool }) => [from, tool]))]
  names.sort((a, b) => Number(b === 'START') - Number(a === 'START') || (a < b ? -1 : 1))
  const nodes = names.map((name, index) => {
    const turn = (index / names.length) * 2 * Math.PI - Math.PI / 2
    const middle = GRAPH_SIDE / 2
    return {
      name,
      x: round(middle + RING * Math.cos(turn)),
      y: round(middle + RING * Math.sin(turn)),
    }
  })
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const most = Math.max(1, ...edges.map(({ n }) => n))
  return {
    nodes,
    edges: edges.flatMap((edge) => {
      const from = byName.get(edge.from)
      const to = byName.get(edge.tool)
      if (from === undefined || to === undefined) return []
      return [{ ...edge, path: arc(from, to), width: round(1 + (4 * edge.n) / most) }]
    }),
  }
}

/** An arc that leaves both nodes free, bent to the right of its direction so that ways there and back differ. */
function arc(from: PlacedNode, to: PlacedNode): string {
  if (from.name === to.name) {
    const { x, y } = from
    return `M${x - 12} ${y - NODE} C${x - 50} ${y - 90} ${x + 50} ${y - 90} ${x + 12} ${y - NODE}`
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  const [ux, uy] = [dx / length, dy / length]
  const start = [from.x + ux * NODE, from.y + uy * NODE].map(round).join(' ')
  const end = [to.x - ux * (NODE + 6), to.y - uy * (NODE + 6)].map(round).join(' ')
  const bend = length * 0.14
  const middle = [(from.x + to.x) / 2 - uy * bend, (from.y + to.y) / 2 + ux * bend]
  return `M${start} Q${middle.map(round).join(' ')} ${end}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
