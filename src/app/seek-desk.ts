import { createSeekingAgent, readGraph, replaySeek, seekOutcome } from '../agents/index.ts'
import type { ConsentRequest, Person, Run, SeekOptions, Task } from '../agents/index.ts'
import type { Clock, Progress } from '../base/index.ts'
import { createBudget } from '../llm/index.ts'
import type { Budget, LanguageModel } from '../llm/index.ts'
import { outgoingPicture, visionSources } from '../tools/index.ts'
import type { Backends, PictureEncoder } from '../tools/index.ts'
import type { DecisionBook, Learnt } from '../memory/index.ts'
import { cacheFolders } from './cache.ts'
import type { Config, Role } from './config.ts'
import type { EngineOptions } from './engine.ts'
import type { Environment } from './environment.ts'
import type { LiveRun } from './live-run.ts'
import { modelSources } from './model-sources.ts'
import { roleModels } from './models.ts'
import { familyNamed } from './program-desk.ts'
import type { RunOptions, SeekRequest, SeekSettings } from './pupil.ts'
import { pictureSearches } from './picture-sources.ts'
import { lazy } from './lazy.ts'
import { ownFacts, searchLessons, withoutBad } from './seek-corrections.ts'
import { folderSourceCache } from './source-cache.ts'
import { launch } from './run-start.ts'
import type { RunParts } from './run-start.ts'
import { openSeekSources } from './seek-sources.ts'
import { version } from './version.ts'

export interface SeekDesk {
  /** Starts a search: kept as a run like any other. */
  start(
    request: SeekRequest,
    options: RunOptions & SeekSettings & { readonly person?: Person },
    run: RunParts,
  ): Promise<LiveRun>
  close(): Promise<void>
}

export interface SeekDeskSetup {
  readonly config: Config
  readonly clock: Clock
  readonly env: Environment
  /** Behind the tools that look, without language models. */
  readonly backends: Backends
  readonly progress: Progress
  /** Of pictures by their looks; opened at the first search. */
  readonly encoder: () => Promise<PictureEncoder>
  readonly learnt: () => Promise<Learnt>
  /** What people decided in this space. */
  readonly decisions: DecisionBook
}

/** The seeking agent with the tools, sources and models of the configuration. */
export function createSeekDesk(setup: SeekDeskSetup): SeekDesk {
  const { config, clock, env } = setup
  const sources = openSeekSources(setup)
  const cache = folderSourceCache(cacheFolders(config).sources)
  const searches = lazy(() => pictureSearches(setup))
  const work = async (
    task: Task,
    engine: EngineOptions,
    settings: SeekSettings & { readonly person?: Person },
  ): Promise<Run> => {
    const options = seekOptions(task, settings)
    const usable = modelsFor(config, env, settings)
    const models = roleModels({ ...config, models: usable }, env, clock)
    // What looks by a language model spends from a purse of the same size beside the planner's.
    const looking = models.backends(setup.backends, createBudget(task.budget ?? {}, clock))
    const elsewhere = remoteBackends(config, env)
    const { offline = false, sendPictures = false, pictureUrl, consent, person } = settings
    const lessons = onceEach(() => setup.learnt().then(searchLessons))
    const pictures = await searches()
    const found = [...pictures.sources, ...sources.providers({ offline, pictureUrl })]
    const providers = [
      ...visionSources(looking, { elsewhere }),
      ownFacts(lessons),
      ...found.map((one) => withoutBad(one, lessons)),
    ]
    const agent = createSeekingAgent({
      ...{ cache, clock, version, prices: config.prices, decisions: setup.decisions },
      ...(usable.planner === undefined || person !== undefined ? {} : { model: planning(models) }),
      ...(person === undefined ? {} : { person }),
      ...(consent === undefined ? {} : { consent: (request) => askFor(request, consent) }),
      ...{ providers, permissions: sources.permissions(sendPictures, providers) },
    })
    const { id, createdAt, signal, onStep } = engine
    const run = await agent.run(task, { id, createdAt, signal, onStep, options })
    const told = problemsText(pictures.problems())
    return told.length === 0 ? run : { ...run, warnings: [...run.warnings, ...told] }
  }
  return {
    start: async (request, options, run) => {
      const { task, notices } = await readTask(request, options, run)
      const problems = options.offline === true ? [] : await sources.problems()
      return launch(task, [...notices, ...problems], {
        options,
        run: {
          ...run,
          engine: { ...run.engine, run: (one, engine) => work(one, engine, options) },
        },
      })
    },
    close: () => sources.close(),
  }
}

/** Pictures told one by one, at most. */
const TOLD = 3

/** What is wrong with the folder of pictures, in a few lines. */
function problemsText(problems: readonly string[]): readonly string[] {
  const more = problems.length - TOLD
  return [
    ...problems.slice(0, TOLD).map((one) => `Not in the picture index: ${one}`),
    ...(more > 0 ? [`Not in the picture index: ${more} more pictures.`] : []),
  ]
}

async function readTask(
  { picture, question }: SeekRequest,
  options: RunOptions,
  { config, parts }: RunParts,
): Promise<{ readonly task: Task; readonly notices: readonly string[] }> {
  // It looks as closely as questions do.
  const { maxSide } = await familyNamed('gqa')
  const library = await parts.library()
  const { image, notices } = await library.read(picture, { maxSide, signal: options.signal })
  const task: Task = {
    ...{ agent: 'seeking', family: 'seek', instruction: question, inputs: { IMAGE: image } },
    budget: { ...config.budget, ...options.budget },
    seed: options.seed ?? config.seed,
  }
  return { task, notices }
}

/** The budget of every run in the agent's own limits. */
function seekOptions({ budget = {} }: Task, settings: SeekSettings): SeekOptions {
  const { calls, tokens, seconds, money } = budget
  const { maxSteps, maxCost = money, offline, graph } = settings
  return {
    ...(maxSteps === undefined ? {} : { maxToolCalls: maxSteps }),
    ...(maxCost === undefined ? {} : { maxCostUsd: maxCost }),
    ...(calls === undefined ? {} : { maxLlmCalls: calls }),
    ...(tokens === undefined ? {} : { maxTokens: tokens }),
    ...(seconds === undefined ? {} : { maxMs: seconds * 1000 }),
    ...(offline === true ? { offline } : {}),
    ...(graph === undefined ? {} : { graph: readGraph(graph) }),
  }
}

/** Read once for each run: a lesson of a run that goes on acts in the next. */
function onceEach<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => (known ??= read())
}

/** Asks with exactly the bytes that would go. */
async function askFor(
  { provider, what, picture, region }: ConsentRequest,
  consent: NonNullable<SeekSettings['consent']>,
): Promise<boolean> {
  if (what !== 'image' || picture === undefined) return false
  const bytes = await outgoingPicture({ picture, ...(region === undefined ? {} : { region }) })
  return consent({ provider: provider.id, price: provider.price, picture: bytes })
}

/** Names of the back ends that show the picture to a model elsewhere. */
function remoteBackends(config: Config, env: Environment): ReadonlySet<string> {
  const { baseUrls = {} } = modelSources(config, env)
  const named = LOOKING.flatMap((role) => config.models[role] ?? [])
  return new Set(named.filter((name) => !isHere(name, baseUrls)).map((name) => `llm/${name}`))
}

/**
 * A search again from its record: no source and no model is asked.
 *
 * The task does not say how many steps were allowed; a run that ended by it shows how many it was.
 */
export async function replaySearch(
  old: Run,
  engine: EngineOptions,
  { clock, decisions }: { readonly clock: Clock; readonly decisions: DecisionBook },
): Promise<Run> {
  const ended = seekOutcome(old)?.stop === 'budget:maxToolCalls'
  const maxSteps = old.steps.filter(({ kind }) => kind === 'call').length
  const options = seekOptions(old.task, ended ? { maxSteps } : {})
  const { id, createdAt, signal, onStep } = engine
  // What people decided since then was not known to it.
  const then = (await decisions.list()).filter(({ at }) => at < old.createdAt)
  const more = { clock, id, createdAt, signal, onStep, options, version, decisions: then }
  return replaySeek(old, more)
}

/** Roles that are shown the picture itself. */
const LOOKING: readonly Role[] = ['vqa', 'caption', 'generator']

/**
 * The models that this run may ask: none elsewhere when it is offline, and none elsewhere that looks unless
 * pictures may be sent.
 */
export function modelsFor(
  config: Config,
  env: Environment,
  { offline = false, sendPictures = false, consent }: SeekSettings,
): Config['models'] {
  const { pictures: rule } = config.sources
  const pictures = sendPictures || rule === 'always' || (rule === 'ask' && consent !== undefined)
  const { baseUrls = {} } = modelSources(config, env)
  const named = Object.entries(config.models) as readonly (readonly [Role, string])[]
  const usable = named.filter(([role, name]) => {
    if (isHere(name, baseUrls)) return true
    return !offline && (pictures || !LOOKING.includes(role))
  })
  return Object.fromEntries(usable)
}

/** Whether a model runs on this machine: in this process, or behind an address of it. */
function isHere(name: string, baseUrls: Readonly<Record<string, string | undefined>>): boolean {
  const provider = name.slice(0, name.indexOf('/'))
  if (provider === 'gguf') return true
  const url = baseUrls[provider]
  if (url === undefined) return provider === 'ollama'
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

function planning(models: ReturnType<typeof roleModels>): (budget: Budget) => LanguageModel {
  return (budget) => {
    const model = models.spending('planner', budget)
    if (model === undefined) throw new TypeError('planning with a model needs one')
    return model
  }
}
