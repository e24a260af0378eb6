import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveGraph } from './derive-graph.ts'
import { edgesOf } from './graph.ts'
import { scoreGraph } from './score-graph.ts'
import { exportDecisions, importDecisions } from './study.ts'
import { WORLD_DECISIONS } from './world-decisions.ts'

test('the recorded decisions for the picture world are sound, and come back from their lines', () => {
  const { decisions, problems } = importDecisions(exportDecisions(WORLD_DECISIONS))
  assert.deepEqual(problems, [])
  assert.deepEqual(decisions, WORLD_DECISIONS)
  assert.equal(new Set(decisions.map(({ runId }) => runId)).size, 12)
  assert.ok(decisions.every(({ feasible, chosen }) => feasible.includes(chosen.tool)))
})

test('they make a graph that looks at one object after another before it asks what is known', () => {
  const { graph } = deriveGraph(WORLD_DECISIONS)
  const first = (state: 'START' | 'detect' | 'select_object', phase: 'visual') =>
    edgesOf(graph, state, phase)[0]?.tool
  assert.equal(first('START', 'visual'), 'detect')
  assert.equal(first('detect', 'visual'), 'select_object')
  assert.equal(first('select_object', 'visual'), 'image_search')
  assert.equal(edgesOf(graph, 'image_search', 'knowledge')[0]?.tool, 'kb_lookup')
  // A choice that was made once is no edge.
  assert.ok(scoreGraph(graph, WORLD_DECISIONS).coverage > 0.95)
})
