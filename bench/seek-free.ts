/**
 * Agents without states, for a fair comparison with the graph: every tool may follow every other, but the agent
 * still knows which tools look and which tools know, and in which order it prefers them.
 */
import { FREE_GRAPH } from '../src/agents/index.ts'
import type { SeekTool, TransitionGraph } from '../src/agents/index.ts'

const LOOK: readonly SeekTool[] = ['detect', 'select_object', 'image_search', 'vqa', 'caption']
const KNOW: ReadonlySet<SeekTool> = new Set(['kb_lookup', 'web_search', 'open_page', 'llm_qa'])

/**
 * The same moves at every state: tools that look while it is not known what is shown, the others after that,
 * preferred in the order given.
 */
export function withoutStates(order: readonly SeekTool[]): TransitionGraph {
  const prior = (tool: SeekTool): number => {
    const at = order.indexOf(tool)
    return at === -1 ? 0.5 ** 8 : 0.5 ** at
  }
  const states = Object.entries(FREE_GRAPH.states).map(([state, { answer, actions }]) => {
    const moves = Object.entries(actions).map(([name, edge]) => {
      const tool = name as SeekTool
      const phases = KNOW.has(tool) ? (['knowledge'] as const) : (['visual'] as const)
      return [tool, { ...edge, phases, prior: prior(tool) }] as const
    })
    return [state, { answer, actions: Object.fromEntries(moves) }] as const
  })
  return {
    ...FREE_GRAPH,
    ...{ name: `no states: ${order.join(', ')}`, states: Object.fromEntries(states) },
  }
}

/** Every order of the tools that look, objects found before one is chosen. */
export function statelessGraphs(): readonly TransitionGraph[] {
  const all: SeekTool[][] = []
  const grow = (had: readonly SeekTool[]): void => {
    if (had.length === LOOK.length) return void all.push([...had, 'kb_lookup'])
    for (const tool of LOOK) {
      const early = tool === 'select_object' && !had.includes('detect')
      if (!had.includes(tool) && !early) grow([...had, tool])
    }
  }
  grow([])
  return all.map(withoutStates)
}
