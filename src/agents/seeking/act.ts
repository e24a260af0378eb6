import { canonicalJson, errorData, sha256 } from '../../base/index.ts'
import { pixelBox } from '../../image/index.ts'
import type { Box } from '../../image/index.ts'
import type { ArgTrace } from '../../program/index.ts'
import type { SourceArgs } from '../../tools/index.ts'
import { actionKey, REGION_TOOLS } from './action-key.ts'
import { entriesOf } from './entries.ts'
import { execute } from './execute.ts'
import type { Execution } from './execute.ts'
import type { SeekState } from './state.ts'
import type { Action, Entry, SeekCallStep } from './types.ts'

/** What became of an action. */
export interface Acted {
  readonly key: string
  readonly execution: Execution
  readonly entries: readonly Entry[]
  /** Index of the call's step in the run. */
  readonly step: number
}

/** Carries out a chosen action and notes it as a step; its key is taken from now on. */
export async function act(state: SeekState, action: Action): Promise<Acted> {
  const { clock, ledger, node } = state
  const key = actionKey(action, state.picture.hash)
  const [start, startedAt] = [clock.tick(), clock.now()]
  const close = ledger.open()
  state.taken.add(key)
  const execution: Execution =
    action.tool === 'select_object'
      ? { attempts: [], output: { text: '' }, cached: false, usd: 0 }
      : await execute(action, sourceArgs(state, action), state.execution)
  ledger.settleTool(execution.usd)
  const step = state.steps.length
  const { provider, output, reason, error, attempts, consent } = execution
  const region = action.args.region
  const from = {
    ...{ provider: provider?.id ?? action.tool, step },
    ...(region === undefined ? {} : { region: region.join(',') }),
  }
  const entries = output === undefined ? [] : entriesOf(action.tool, output, from)
  if (output !== undefined && provider?.mayStore === false) state.replayable = false
  const cost = close()
  state.tell({
    ...callFields(state, action, startedAt, clock.tick() - start),
    ...(output === undefined ? {} : { result: resultText(action, entries) }),
    ...(error === undefined ? {} : { error: errorData(error) }),
    sought: {
      ...{ node: node.id, phase: node.phase, key, attempts, entries },
      ...(provider === undefined ? {} : { provider: provider.id, licence: provider.licence }),
      ...(output === undefined
        ? {}
        : { output, outputRef: `sha256:${sha256(canonicalJson(output))}` }),
      ...(reason === undefined || output !== undefined ? {} : { reason }),
      ...(consent === undefined ? {} : { consent }),
    },
    cost: { ...cost, seconds: 0 },
  })
  state.calls++
  if (output === undefined) state.failedCalls++
  state.pages.push(
    ...entries.filter(({ source }) => source.url !== undefined && action.tool !== 'open_page'),
  )
  return { key, execution, entries, step }
}

function callFields(
  state: SeekState,
  { tool, args }: Action,
  start: number,
  ms: number,
): Omit<SeekCallStep, 'sought' | 'cost'> {
  const traces: ArgTrace[] = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      name,
      source: '',
      value: Array.isArray(value) ? [...value] : String(value),
    }))
  const index = state.calls
  return {
    ...{
      kind: 'call',
      index,
      step: index + 1,
      line: 0,
      path: [],
      output: `s${state.steps.length}`,
    },
    ...{ tool, args: traces, notices: [], start, ms, prompts: [], models: [] },
  }
}

function resultText({ tool, args }: Action, entries: readonly Entry[]): string {
  if (tool === 'select_object') return args.id ?? ''
  return entries
    .map(({ id, text }) => `${id}: ${text}`)
    .join('\n')
    .slice(0, 4000)
}

/** What the provider is given: the picture for those that look, the words for those that read. */
function sourceArgs(state: SeekState, { tool, args }: Action): SourceArgs {
  const { region, q, url } = args
  const entities = tool === 'kb_lookup' ? state.memory.entities() : []
  const subject = state.memory
    .values()
    .filter((one) => one !== undefined)
    .join(' and ')
  return {
    ...(REGION_TOOLS.has(tool) ? { picture: state.picture } : {}),
    ...(region === undefined ? {} : { region }),
    ...(q === undefined ? {} : { q }),
    ...(subject === '' ? {} : { subject }),
    ...(url === undefined ? {} : { url }),
    ...(entities.length === 0 ? {} : { entities }),
    ...(tool === 'llm_qa' ? { claims: state.memory.claims.map((one) => one.text) } : {}),
  }
}

/** The box of an object with a margin of 5 % of its size on each side, inside the picture. */
export function focusBox(
  box: Box,
  picture: { readonly width: number; readonly height: number },
): Box {
  const [x1, y1, x2, y2] = box
  const [mx, my] = [0.05 * (x2 - x1), 0.05 * (y2 - y1)]
  return pixelBox([x1 - mx, y1 - my, x2 + mx, y2 + my], picture) ?? box
}
