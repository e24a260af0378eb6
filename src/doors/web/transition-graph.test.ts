import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GRAPH_SIDE, placeGraph } from './transition-graph.ts'

test('states stand on a ring, each once, START on top, and moves go from one to the other', () => {
  const { nodes, edges } = placeGraph([
    { from: 'caption', tool: 'vqa', n: 1, ok: 1 },
    { from: 'START', tool: 'caption', n: 4, ok: 3 },
    { from: 'vqa', tool: 'vqa', n: 2, ok: 0 },
  ])
  assert.deepEqual(
    nodes.map(({ name }) => name),
    ['START', 'caption', 'vqa'],
  )
  const [start] = nodes
  assert.ok(start && start.x === GRAPH_SIDE / 2 && nodes.every(({ y }) => y >= start.y))
  assert.ok(nodes.every(({ x, y }) => x > 0 && x < GRAPH_SIDE && y > 0 && y < GRAPH_SIDE))
  assert.deepEqual(
    edges.map(({ width }) => width),
    [2, 5, 3],
  )
  assert.ok(edges.every(({ path }) => /^M[\d. -]+[QC][\d. -]+$/.test(path)))
  assert.deepEqual(placeGraph([]), { nodes: [], edges: [] })
})
