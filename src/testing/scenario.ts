import { createSeekingAgent, readGraph } from '../agents/index.ts'
import type { Run, SeekOptions, SourceCache } from '../agents/index.ts'
import { Bug, countingIds, seededRandom } from '../base/index.ts'
import { createImage } from '../image/index.ts'
import type { Image } from '../image/index.ts'
import { replyOf } from '../llm/index.ts'
import type { LanguageModel, ModelReply, ModelRequest } from '../llm/index.ts'
import { memoryDecisions } from '../memory/index.ts'
import type { Decision } from '../memory/index.ts'
import { LOCAL_SOURCE, sourceFault } from '../tools/index.ts'
import type {
  FaultReason,
  SourceArgs,
  SourceOutput,
  SourceProvider,
  SourceTool,
} from '../tools/index.ts'
import { simulatedClock } from './simulated-clock.ts'
import type { SimulatedClock } from './simulated-clock.ts'

type Usage = { readonly in: number; readonly out: number }
type ScenarioReply = unknown

export interface ScenarioProvider {
  readonly id: string
  readonly price?: number | null
  readonly sends?: 'none' | 'text' | 'image'
  readonly mayStore?: boolean
  readonly timeoutMs?: number
}

export interface ScenarioToolLine {
  readonly tool: SourceTool
  readonly provider?: string
  readonly args?: Readonly<Record<string, unknown>>
  readonly times?: number
  readonly ms?: number
  readonly reply:
    | { readonly ok: SourceOutput }
    | { readonly error: FaultReason; readonly retryAfter?: number }
    | { readonly hang: true }
}

/** A run of the seeking agent without models or network: all that is said to it (avis §18). */
export interface Scenario {
  readonly name?: string
  readonly question: string
  readonly picture?: { readonly w: number; readonly h: number; readonly seed?: number }
  readonly options?: SeekOptions
  readonly providers?: Readonly<Partial<Record<SourceTool, readonly ScenarioProvider[]>>>
  readonly graph?: unknown
  readonly consent?: 'allow' | 'deny'
  /** Left out: no language model at all. */
  readonly llm?: Readonly<
    Partial<Record<'decompose' | 'plan' | 'select' | 'reason' | 'qa', readonly ScenarioReply[]>>
  >
  readonly tools?: readonly ScenarioToolLine[]
  readonly decisions?: readonly Decision[]
}

export interface ScenarioRun {
  readonly run: Run
  /** Each call of a provider, in order. */
  readonly requests: readonly {
    readonly provider: string
    readonly tool: SourceTool
    readonly args: SourceArgs
  }[]
  /** Everything that was shown to the model. */
  readonly prompts: readonly { readonly role: string; readonly text: string }[]
  readonly elapsedMs: number
  /** Timers that were left running. */
  readonly timers: number
}

export interface ScenarioOptions {
  readonly cache?: SourceCache
  readonly clock?: SimulatedClock
  readonly signal?: AbortSignal
  readonly picture?: Image
  /** Beside the scripted ones. */
  readonly sources?: readonly SourceProvider[]
}

/** A picture of noise, of a seed. */
export function scenarioPicture({
  w,
  h,
  seed = 1,
}: {
  w: number
  h: number
  seed?: number
}): Image {
  const random = seededRandom(seed)
  return createImage(
    Uint8Array.from({ length: w * h * 3 }, () => random.below(256)),
    w,
    h,
  )
}

/**
 * Runs a scenario: scripted sources, scripted model by role, simulated time.
 *
 * @throws Bug `E_SCENARIO` for a call or a request that nothing in it answers
 */
export async function runScenario(
  scenario: Scenario,
  options: ScenarioOptions = {},
): Promise<ScenarioRun> {
  const clock = options.clock ?? simulatedClock()
  const requests: ScenarioRun['requests'][number][] = []
  const prompts: ScenarioRun['prompts'][number][] = []
  const model = scenario.llm === undefined ? undefined : scenarioModel(scenario.llm, clock, prompts)
  const providers = [...scenarioProviders(scenario, requests), ...(options.sources ?? [])]
  const book = memoryDecisions()
  for (const decision of scenario.decisions ?? []) await book.append(decision)
  const agent = createSeekingAgent({
    ...{ model, providers, clock, ids: countingIds(), decisions: book },
    ...(scenario.graph === undefined ? {} : { graph: readGraph(scenario.graph) }),
    ...(options.cache === undefined ? {} : { cache: options.cache }),
    permissions: Object.fromEntries(providers.map(({ id }) => [id, 'ask' as const])),
    consent: async () => scenario.consent !== 'deny',
    estimate: () => mostUsage(scenario),
  })
  const start = clock.tick()
  const picture = options.picture ?? scenarioPicture(scenario.picture ?? { w: 64, h: 48 })
  const run = await clock.run(
    agent.run(
      {
        ...{ agent: 'seeking', family: 'open', instruction: scenario.question },
        ...{ inputs: { IMAGE: picture }, seed: scenario.picture?.seed ?? 1 },
      },
      { options: scenario.options ?? {}, ...(options.signal && { signal: options.signal }) },
    ),
  )
  return { run, requests, prompts, elapsedMs: clock.tick() - start, timers: clock.waiting() }
}

/** The most that one scripted reply says it uses; a reservation can count on it. */
function mostUsage({ llm = {} }: Scenario): number {
  const replies = Object.values(llm).flat()
  return Math.max(0, ...replies.map((one) => total(usageOf(one))))
}

const total = (usage: Usage): number => usage.in + usage.out

function usageOf(reply: unknown): Usage {
  const usage = isRecord(reply) && 'reply' in reply ? reply['usage'] : undefined
  return isRecord(usage) ? (usage as unknown as Usage) : { in: 0, out: 0 }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function scenarioModel(
  llm: NonNullable<Scenario['llm']>,
  clock: SimulatedClock,
  prompts: ScenarioRun['prompts'][number][],
): LanguageModel {
  const left = new Map(Object.entries(llm).map(([role, replies]) => [role, [...replies]]))
  const next = (role: string): unknown => {
    const replies = left.get(role) ?? []
    const first = replies[0]
    if (first === undefined) {
      throw new Bug('E_SCENARIO', `The scenario has no reply left for the role "${role}".`)
    }
    if (isRecord(first) && 'always' in first) return first['always']
    replies.shift()
    return first
  }
  const generate = async (request: ModelRequest): Promise<ModelReply> => {
    const role = request.schema?.name ?? 'qa'
    const text = request.messages
      .map(({ content }) => (typeof content === 'string' ? content : ''))
      .join('\n')
    prompts.push({ role, text })
    await clock.sleep(10)
    const reply = next(role)
    const said = isRecord(reply) && 'reply' in reply ? reply['reply'] : reply
    const usage = usageOf(reply)
    return replyOf({
      model: 'scenario/model',
      text: typeof said === 'string' ? said : JSON.stringify(said),
      usage: { inputTokens: usage.in, outputTokens: usage.out },
    })
  }
  return {
    id: 'scenario/model',
    capabilities: { json: true },
    generate,
    stream: () => {
      throw new Bug('E_SCENARIO', 'The seeking agent does not stream.')
    },
  }
}

function scenarioProviders(
  { providers = {}, tools = [] }: Scenario,
  requests: ScenarioRun['requests'][number][],
): readonly SourceProvider[] {
  const used = new Map<ScenarioToolLine, number>()
  const names = [...new Set([...tools.map(({ tool }) => tool), ...Object.keys(providers)])]
  return (names as SourceTool[]).flatMap((tool) =>
    (providers[tool] ?? [{ id: `scripted/${tool}` }]).map((one): SourceProvider => ({
      ...{ ...LOCAL_SOURCE, id: one.id, tool, licence: '', sends: one.sends ?? 'none' },
      ...{ price: one.price === undefined ? 0 : one.price, mayStore: one.mayStore ?? true },
      timeoutMs: one.timeoutMs ?? LIMITS[tool] ?? 10_000,
      call: async (args, { signal, clock }) => {
        requests.push({ provider: one.id, tool, args })
        const line = tools.find((line) => fits(line, one.id, tool, args, used))
        if (line === undefined) {
          throw new Bug(
            'E_SCENARIO',
            `Nothing answers ${tool} of ${one.id}: ${JSON.stringify({ q: args.q, region: args.region, url: args.url })}.`,
          )
        }
        used.set(line, (used.get(line) ?? 0) + 1)
        if ('hang' in line.reply) return new Promise<never>(() => {})
        await clock.sleep(line.ms ?? 10, signal)
        if ('ok' in line.reply) return line.reply.ok
        const { error, retryAfter } = line.reply
        throw sourceFault(
          one.id,
          error,
          `scripted ${error}`,
          retryAfter === undefined ? {} : { retryAfter },
        )
      },
    })),
  )
}

const LIMITS: Readonly<Partial<Record<SourceTool, number>>> = {
  ...{ caption: 30_000, vqa: 30_000, detect: 30_000, ocr: 30_000, image_search: 15_000 },
  ...{ llm_qa: 60_000 },
}

function fits(
  line: ScenarioToolLine,
  provider: string,
  tool: SourceTool,
  args: SourceArgs,
  used: ReadonlyMap<ScenarioToolLine, number>,
): boolean {
  if (line.tool !== tool) return false
  if (line.provider !== undefined && line.provider !== provider) return false
  if (line.times !== undefined && (used.get(line) ?? 0) >= line.times) return false
  return Object.entries(line.args ?? {}).every(
    ([name, value]) => JSON.stringify(args[name as keyof SourceArgs]) === JSON.stringify(value),
  )
}
