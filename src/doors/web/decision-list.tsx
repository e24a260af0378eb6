import { useEffect, useState } from 'react'
import type { ErrorData } from '../../base/index.ts'
import { readDecisions, readGraph } from './memory-api.ts'
import type { Decision } from './memory-api.ts'
import { GRAPH_SIDE, placeGraph } from './transition-graph.ts'
import type { GraphEdge } from './transition-graph.ts'
import { usePages } from './use-pages.ts'
import { VirtualList } from './virtual-list.tsx'
import { words } from './words.ts'

/** What people decided in searches, and the graph of moves that came of it. */
export function DecisionList() {
  const { items, isRead, more, error } = usePages<Decision>(
    '/v1/decisions?limit=200',
    readDecisions,
  )
  const [edges, setEdges] = useState<readonly GraphEdge[]>([])
  const [fault, setFault] = useState<ErrorData>()
  useEffect(() => void readGraph().then((graph) => setEdges(graph.edges), setFault), [])
  const failed = error ?? fault
  const taken = edges.filter(({ n }) => n > 0)
  return (
    <div className="concepts two">
      <section className="card" aria-label={words.memory.parts.decisions}>
        <h2>{words.memory.parts.decisions}</h2>
        {failed !== undefined && <p className="problem-line">{failed.message}</p>}
        {isRead && items.length === 0 && <p className="soft">{words.memory.noDecisions}</p>}
        <VirtualList
          {...{ items, onMore: more, height: 64, label: words.memory.parts.decisions }}
          keyOf={({ runId, step, at }) => `${runId}/${step}/${at}`}
        >
          {(one) => (
            <article className="lesson">
              <p>
                <b>
                  {one.stateBefore} → {one.chosen.tool}
                </b>{' '}
                <span className="lesson-status">{one.verdict}</span>
              </p>
              <p className="soft">{one.private ? words.memory.privateQuestion : one.question}</p>
            </article>
          )}
        </VirtualList>
      </section>
      <section className="card" aria-label={words.memory.graph}>
        <h2>{words.memory.graph}</h2>
        <p className="soft">{words.memory.graphMore}</p>
        <Graph edges={taken.length > 0 ? taken : edges} />
        <EdgeTable edges={edges} />
      </section>
    </div>
  )
}

function Graph({ edges }: { readonly edges: readonly GraphEdge[] }) {
  const placed = placeGraph(edges)
  if (placed.nodes.length === 0) return null
  return (
    <svg
      className="graph"
      viewBox={`-20 -20 ${GRAPH_SIDE + 40} ${GRAPH_SIDE + 40}`}
      role="img"
      aria-label={words.memory.graphLabel(placed.nodes.length, placed.edges.length)}
    >
      <defs>
        <marker
          id="tip"
          viewBox="0 0 8 8"
          refX="5"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8Z" />
        </marker>
      </defs>
      {placed.edges.map(({ from, tool, path, width, n }) => (
        <path
          key={`${from} ${tool}`}
          className={n > 0 ? 'graph-edge taken' : 'graph-edge'}
          d={path}
          strokeWidth={width}
          markerEnd="url(#tip)"
        >
          <title>{words.memory.edge(from, tool, n)}</title>
        </path>
      ))}
      {placed.nodes.map(({ name, x, y }) => (
        <g key={name} className="graph-node">
          <circle cx={x} cy={y} r="37" />
          <text x={x} y={y + 3} textAnchor="middle">
            {name}
          </text>
        </g>
      ))}
    </svg>
  )
}

function EdgeTable({ edges }: { readonly edges: readonly GraphEdge[] }) {
  return (
    <details>
      <summary>{words.memory.edges}</summary>
      <table>
        <thead>
          <tr>
            {words.memory.edgeHead.map((one) => (
              <th key={one} scope="col">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {edges.map(({ from, tool, n, ok }) => (
            <tr key={`${from} ${tool}`}>
              <td>{from}</td>
              <td>{tool}</td>
              <td>{n}</td>
              <td>{ok}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
