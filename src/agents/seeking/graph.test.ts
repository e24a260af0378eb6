import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Decision } from '../../memory/index.ts'
import { DEFAULT_GRAPH, FREE_GRAPH, PAPER_GRAPH, sequenceGraph } from './default-graph.ts'
import { deriveGraph } from './derive-graph.ts'
import { edgesOf, readGraph, writeGraph } from './graph.ts'
import { scoreGraph } from './score-graph.ts'

/** The six recorded runs of the specification: `tool`, `tool✗` uninformative, `tool!` error. */
const RUNS: Readonly<Record<string, string>> = {
  A: 'detect select_object image_search web_search',
  B: 'detect select_object image_search web_search',
  C: 'caption web_search',
  D: 'vqa llm_qa',
  E: 'detect select_object image_search✗ select_object image_search web_search',
  F: 'caption detect select_object image_search web_search! kb_lookup',
}

export function decisionsOf(runs: Readonly<Record<string, string>>): readonly Decision[] {
  return Object.entries(runs).flatMap(([runId, tools]) => {
    let state = 'START'
    return tools.split(' ').map((one, step): Decision => {
      const tool = one.replace(/[✗!]$/, '')
      const verdict = one.endsWith('✗')
        ? 'uninformative'
        : one.endsWith('!')
          ? 'error'
          : 'informative'
      const stateBefore = state
      if (verdict === 'informative') state = tool
      return {
        ...{
          v: 1,
          runId,
          step,
          at: step,
          actor: 'human',
          questionId: runId,
          question: `question ${runId}`,
        },
        ...{
          picture: `sha256:${runId}`,
          phase: ['web_search', 'llm_qa', 'kb_lookup'].includes(tool) ? 'knowledge' : 'visual',
        },
        ...{
          stateBefore,
          feasible: [],
          chosen: { tool, args: {} },
          outputRef: '',
          outputSummary: '',
        },
        ...{ verdict, ms: 0, cost: 0, private: false, consent: true },
      }
    })
  })
}

const tools = (graph: typeof DEFAULT_GRAPH, state: Parameters<typeof edgesOf>[1]) =>
  Object.keys(graph.states[state]?.actions ?? {})

test('the shipped graphs pass the load checks, and reading what was written gives the same', () => {
  for (const graph of [DEFAULT_GRAPH, PAPER_GRAPH, FREE_GRAPH]) {
    assert.deepEqual(readGraph(JSON.parse(writeGraph(graph))), graph)
  }
})

test('START has exactly the three actions of the paper in the profile "paper"', () => {
  assert.deepEqual(
    edgesOf(PAPER_GRAPH, 'START', 'visual').map(({ tool }) => tool),
    ['detect', 'caption', 'vqa'],
  )
  assert.ok(edgesOf(PAPER_GRAPH, 'START', 'visual').every(({ edge }) => edge.origin === 'paper'))
})

test('priors of a state sum to one in each phase as they are read', () => {
  for (const state of ['START', 'web_search', 'image_search'] as const) {
    for (const phase of ['visual', 'knowledge'] as const) {
      const sum = edgesOf(DEFAULT_GRAPH, state, phase).reduce((all, { prior }) => all + prior, 0)
      assert.ok(Math.abs(sum - 1) < 1e-9, `${state} ${phase}`)
    }
  }
})

test('a fixed sequence allows one tool at a time', () => {
  const graph = sequenceGraph(['detect', 'select_object', 'image_search', 'web_search'])
  assert.deepEqual(tools(graph, 'START'), ['detect'])
  assert.deepEqual(tools(graph, 'image_search'), ['web_search'])
  assert.deepEqual(tools(graph, 'web_search'), [])
})

test('the derivation vector of the specification comes out', () => {
  const { graph, restored } = deriveGraph(decisionsOf(RUNS), { k: 2, p: 0.02 })
  const start = edgesOf(graph, 'START', 'visual')
  assert.deepEqual(
    start.map(
      ({ tool, edge }) => `${tool} ${edge.prior.toFixed(3)} ${edge.n}/${edge.ok} ${edge.origin}`,
    ),
    ['detect 0.467 3/3 paper', 'caption 0.333 2/2 paper', 'vqa 0.200 1/1 paper'],
  )
  assert.deepEqual(tools(graph, 'detect'), ['select_object'])
  assert.deepEqual(tools(graph, 'select_object'), ['image_search'])
  assert.deepEqual(tools(graph, 'image_search'), ['web_search'])
  assert.equal(graph.states.select_object?.actions.image_search?.n, 5)
  assert.equal(graph.states.select_object?.actions.image_search?.ok, 4)
  for (const state of ['caption', 'vqa', 'web_search'] as const) {
    assert.ok(
      restored.some((one) => one.state === state),
      state,
    )
    assert.ok(
      Object.values(graph.states[state]?.actions ?? {}).every(({ origin }) => origin === 'default'),
    )
  }
  assert.deepEqual(readGraph(JSON.parse(writeGraph(graph))), graph)
})

test('held out, the learnt graph covers two of three decisions of another way', () => {
  const { graph } = deriveGraph(decisionsOf(RUNS), { k: 2, p: 0.02 })
  const held = decisionsOf({ G: 'detect select_object ocr' })
  const score = scoreGraph(graph, held)
  assert.ok(Math.abs(score.coverage - 2 / 3) < 1e-9)
  assert.ok(score.feasible < 10)
})

test('a faulty graph is refused with its place and a near name', () => {
  const bad = (change: (graph: Record<string, unknown>) => void): string => {
    const graph = JSON.parse(writeGraph(DEFAULT_GRAPH)) as Record<string, unknown>
    change(graph)
    try {
      readGraph(graph)
      return 'accepted'
    } catch (error) {
      return (error as Error).message
    }
  }
  const edge = { phases: ['visual'], prior: 0.1, n: 0, ok: 0, origin: 'user' }
  type States = Record<string, { answer: boolean; actions: Record<string, unknown> }>
  const states = (graph: Record<string, unknown>): States => graph['states'] as States
  assert.equal(
    bad((graph) => Object.assign(states(graph)['detect']?.actions ?? {}, { imag_search: edge })),
    'graph detect -> imag_search: "imag_search" is not a tool. Did you mean image_search?',
  )
  assert.match(
    bad((graph) => void (graph['v'] = 2)),
    /its version is 2, not 1/,
  )
  assert.match(
    bad((graph) => {
      for (const state of Object.values(states(graph))) state.answer = false
    }),
    /no state that may answer can be reached/,
  )
  assert.match(
    bad((graph) => void delete states(graph)['ocr']),
    /leads to ocr, which is no state/,
  )
})

test('any derived graph passes the load checks, whatever people did', () => {
  const step = fc.constantFrom(
    'detect',
    'caption',
    'vqa',
    'ocr',
    'image_search',
    'web_search✗',
    'llm_qa',
    'kb_lookup!',
    'select_object',
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 }),
      (runs) => {
        const record = Object.fromEntries(runs.map((run, i) => [`r${i}`, run.join(' ')]))
        const { graph } = deriveGraph(decisionsOf(record))
        assert.deepEqual(readGraph(JSON.parse(writeGraph(graph))), graph)
      },
    ),
    { numRuns: 60 },
  )
})
