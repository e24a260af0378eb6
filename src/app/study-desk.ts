import {
  decisionsOfRun,
  DEFAULT_GRAPH,
  deriveGraph,
  edgesOf,
  importDecisions,
  scoreExamples,
  scoreGraph,
  splitByQuestion,
  WORLD_DECISIONS,
  writeGraph,
} from '../agents/index.ts'
import type {
  DeriveOptions,
  ExamplesScore,
  GraphScore,
  GraphState,
  Person,
  Run,
} from '../agents/index.ts'
import type { Decision } from '../memory/index.ts'
import { decisionsText } from './decision-book.ts'
import type { DecisionFile } from './decision-book.ts'
import type { LiveRun } from './live-run.ts'
import type { RunOptions, SeekRequest, SeekSettings } from './pupil.ts'

/** A person who answers, and what may become of the record. */
export interface StudySettings extends SeekSettings {
  readonly person: Person
  /** The question and what was selected leave this machine only as hashes. */
  readonly private?: boolean
}

/** How a graph and the decisions foretell those held out. */
export interface StudyScore {
  readonly decisions: number
  readonly questions: number
  readonly held: number
  /** The graph made from the others. */
  readonly derived: GraphScore
  /** The graph that ships, on the same decisions. */
  readonly shipped: GraphScore
  readonly examples: ExamplesScore
}

/** A graph as a table: each edge with how often it was taken and led to something. */
export interface StudyGraph {
  readonly json: string
  readonly edges: readonly {
    readonly from: string
    readonly tool: string
    readonly phases: readonly string[]
    readonly n: number
    readonly ok: number
    readonly prior: number
    readonly origin: string
  }[]
  readonly dropped: readonly string[]
  readonly restored: readonly string[]
}

/** People's decisions: recorded, made into a graph and examples, scored (avis §10). */
export interface StudyDesk {
  /** A search in which a person decides; its decisions are recorded when it ends, also when it is stopped. */
  answer(request: SeekRequest, options: RunOptions & StudySettings): Promise<LiveRun>
  decisions(): Promise<readonly Decision[]>
  /** Lines of the record that cannot be read. */
  problems(): Promise<readonly string[]>
  graph(options?: DeriveOptions): Promise<StudyGraph>
  score(options?: DeriveOptions): Promise<StudyScore>
  export(): Promise<string>
  import(text: string, name: string): Promise<{ added: number; problems: readonly string[] }>
  /** Adds the decisions for the picture world that ship. */
  importShipped(): Promise<{ added: number; problems: readonly string[] }>
  /** By run, or by picture as `sha256:…`. @returns how many went */
  forget(of: { readonly runId: string } | { readonly picture: string }): Promise<number>
}

export interface StudyParts {
  readonly book: DecisionFile
  readonly start: (request: SeekRequest, options: RunOptions & StudySettings) => Promise<LiveRun>
}

export function studyDesk({ book, start }: StudyParts): StudyDesk {
  const record = async (run: Run, isPrivate: boolean): Promise<void> => {
    const made = decisionsOfRun(run, { actor: 'human', consent: true, private: isPrivate })
    for (const decision of made) await book.append(decision)
  }
  const human = async (): Promise<readonly Decision[]> =>
    (await book.list()).filter(({ actor }) => actor === 'human')
  /** Those that are not there yet. */
  const add = async (decisions: readonly Decision[]): Promise<number> => {
    const known = new Set((await book.list()).map(keyOf))
    const fresh = decisions.filter((one) => !known.has(keyOf(one)))
    for (const one of fresh) await book.append(one)
    return fresh.length
  }
  return {
    answer: async (request, options) => {
      // A person takes longer than a model.
      const budget = { seconds: 3600, ...options.budget }
      const live = await start(request, { ...options, budget })
      const result = live.result.then(async (run) => {
        await record(run, options.private === true)
        return run
      })
      result.catch(() => {})
      return { ...live, result }
    },
    decisions: () => book.list(),
    problems: () => book.problems(),
    graph: async (options) => studyGraph(deriveGraph(await human(), options)),
    score: async (options) => {
      const all = await human()
      const { train, held } = splitByQuestion(all)
      const { graph } = deriveGraph(train, options)
      return {
        ...{ decisions: all.length, held: held.length },
        questions: new Set(all.map(({ questionId }) => questionId)).size,
        derived: scoreGraph(graph, held),
        shipped: scoreGraph(DEFAULT_GRAPH, held),
        examples: scoreExamples(graph, train, held),
      }
    },
    export: async () => decisionsText(await book.list()),
    import: async (text, name) => {
      const { decisions, problems } = importDecisions(text, name)
      return { added: await add(decisions), problems }
    },
    importShipped: async () => ({ added: await add(WORLD_DECISIONS), problems: [] }),
    forget: (of) => book.forget(of),
  }
}

const keyOf = ({ runId, step, at }: Decision): string => `${runId}/${step}/${at}`

function studyGraph({ graph, dropped, restored }: ReturnType<typeof deriveGraph>): StudyGraph {
  const states = Object.keys(graph.states) as GraphState[]
  const named = (one: { readonly state: string; readonly tool: string }): string =>
    `${one.state} -> ${one.tool}`
  return {
    json: writeGraph(graph),
    edges: states.flatMap((from) => {
      const priors = new Map(
        (['visual', 'knowledge'] as const).flatMap((phase) =>
          edgesOf(graph, from, phase).map(({ tool, prior }) => [tool, prior] as const),
        ),
      )
      const actions = Object.entries(graph.states[from]?.actions ?? {})
      return actions.map(([tool, { phases, n, ok, prior, origin }]) => ({
        ...{ from, tool, phases, n, ok, origin },
        prior: priors.get(tool as never) ?? prior,
      }))
    }),
    dropped: dropped.map(named),
    restored: restored.map(named),
  }
}
