import type { Abortable, Progress } from '../base/index.ts'
import { hash32, UserFault } from '../base/index.ts'
import type { LessonTuningParts, PictureFinder, TuningState } from '../learning/index.ts'
import type { Lesson } from '../memory/index.ts'
import type { Done, JobHandler } from '../queue/index.ts'
import type { Job } from '../stores/index.ts'
import type { Learnable, Wordnet } from '../tools/index.ts'
import type { LearningConfig } from './config.ts'
import type { LearningParts } from './learning-desk.ts'
import type { ProcessesRequest, ProcessesSetup } from './learning-processes.ts'

/** Jobs of this kind tune the prompts of a lesson. */
const TUNE = 'tune'

export interface TuningSwitches {
  /** False gathers examples and tunes nothing. */
  readonly prompts?: boolean
  /** False applies whatever was learnt. */
  readonly validation?: boolean
}

/** Work on lessons in the background. */
export interface LearningJobs {
  /** Newest first. */
  list(): Promise<readonly Job[]>
  get(id: string): Promise<Job | undefined>
  /** Asks for prompts for a lesson; the same job for the same lesson, however often. */
  tune(lesson: string): Promise<Job>
  cancel(id: string): Promise<boolean>
  /**
   * Does what waits, in this process; answers of other processes go on meanwhile and see what was learnt as soon
   * as it is applied.
   *
   * @param options.once  ends when nothing waits; else it goes on until the signal fires
   */
  work(
    options?: Abortable & {
      readonly once?: boolean
      readonly owner?: string
      readonly progress?: Progress
      /** What of a lesson takes part; all of it by default (CLOVA table 4). */
      readonly switches?: TuningSwitches
    },
  ): Promise<readonly Done[]>
  /**
   * Does what waits in processes of their own, under a cap of memory and with low priority, so that answers of this
   * one never wait; what was learnt acts here at the next call.
   *
   * @throws UserFault `E_JOBS` where another process would not see the same: own tools, a store in memory
   */
  processes(options?: ProcessesRequest): Promise<void>
}

/** @param setup  what worker processes are started with; without it there are none */
export function learningJobs(parts: LearningParts, setup?: ProcessesSetup): LearningJobs {
  const store = async () => {
    if (parts.jobs !== undefined) return parts.jobs()
    throw new UserFault('E_JOBS', 'This store keeps no jobs.', { cure: 'Open Pupil with a store.' })
  }
  return {
    list: async () => (await store()).list(),
    get: async (id) => (await store()).get(id),
    cancel: async (id) => (await store()).cancel(id),
    tune: async (lesson) => {
      const id = parts.ids.next('job')
      return (await (await store()).add({ id, kind: TUNE, key: lesson, payload: { lesson } })).job
    },
    work: async ({ once = false, owner = `${process.pid}`, progress, switches, signal } = {}) => {
      const { work, workOnce } = await import('../queue/index.ts')
      const handlers = { [TUNE]: tuneHandler(parts, { setup, progress, switches }) }
      const setting = { jobs: await store(), handlers, owner, clock: parts.clock }
      const options = signal === undefined ? {} : { signal }
      if (!once) {
        await work(setting, options)
        return []
      }
      const all: Done[] = []
      for (;;) {
        const done = await workOnce(setting, options)
        if (done === undefined) return all
        all.push(done)
        if (done.outcome === 'released' || done.outcome === 'lost') return all
      }
    },
    processes: async (request) => {
      if (setup === undefined) {
        throw new UserFault('E_JOBS', 'Worker processes are not set up here.', {
          cure: 'Do the work in this process: pupil.learning.jobs.work().',
        })
      }
      const { lessonProcesses } = await import('./learning-processes.ts')
      const canTune = async (): Promise<boolean> => (await learnablesOf(parts)).length > 0
      const { clock, ids } = parts
      const own = { ...setup, jobs: await store(), kind: TUNE, clock, ids, canTune }
      await lessonProcesses(own, request)
    },
  }
}

async function learnablesOf({ backends }: LearningParts): Promise<readonly Learnable[]> {
  return (await backends?.())?.learnables ?? []
}

/** Asks for prompts for a lesson that was just applied, where its tool takes any. */
export async function tuneLater(lesson: Lesson | undefined, parts: LearningParts): Promise<void> {
  if (lesson?.status !== 'applied' || parts.jobs === undefined) return
  const learnables = await learnablesOf(parts)
  if (!learnables.some(({ tools }) => tools.includes(lesson.tool))) return
  await learningJobs(parts).tune(lesson.id)
}

interface Tuning {
  readonly setup: ProcessesSetup | undefined
  readonly progress: Progress | undefined
  readonly switches: TuningSwitches | undefined
}

function tuneHandler(parts: LearningParts, how: Tuning): JobHandler {
  return async (job, { signal, keep }) => {
    const { runStages } = await import('../queue/index.ts')
    const { tuningStages } = await import('../learning/index.ts')
    const { lesson } = job.payload as { readonly lesson: string }
    const tuning = await tuningParts(parts, how)
    const stages = tuningStages(lesson, job.id, tuning)
    await runStages<TuningState>(job.progress, {}, stages, { keep, signal })
  }
}

/** What tuning works with here: models of the profile, pictures of the configured sources. */
async function tuningParts(
  parts: LearningParts,
  { setup, progress, switches = {} }: Tuning,
): Promise<LessonTuningParts> {
  const { steps, pictures }: Partial<LearningConfig> = setup?.config.learning ?? {}
  const { prompts, validation: validate } = switches
  const { pastRuns } = await import('./past-runs.ts')
  const { decodePicture } = await import('../image/index.ts')
  const library = await parts.library()
  const workshop = await parts.workshop()
  const finders = (await parts.finders?.()) ?? []
  return {
    ...{ learnt: await parts.learnt(), clock: parts.clock, finders },
    learnables: () => learnablesOf(parts),
    ...{ things: workshop.things, fits: workshop.fits },
    ...(prompts === undefined ? {} : { prompts }),
    tuning: {
      ...(validate === undefined ? {} : { validate }),
      ...(steps === undefined ? {} : { steps }),
      ...(pictures === undefined ? {} : { most: pictures }),
    },
    negatives: (concept, options) => negativesFor(concept, finders, options),
    load: async (hash) => (await decodePicture(await library.encode(hash, 'png'))).image,
    keep: (image) => library.keep(image),
    rehearse: (run, memory, options) => workshop.rehearse(run, { ...options, memory }),
    past: () => pastRuns(parts),
    ...(progress === undefined ? {} : { progress }),
  }
}

/** Names of other things asked for beside a concept (clova §5). */
const NEGATIVES = 3

/**
 * Names of things that a concept is not: siblings in WordNet that pictures can be found of, then other names of
 * the sources in an order that follows from the concept.
 */
async function negativesFor(
  concept: string,
  finders: readonly PictureFinder[],
  options: Abortable = {},
): Promise<readonly string[]> {
  const { normaliseName, openWordnet } = await import('../tools/index.ts')
  const known = new Set<string>()
  for (const { names } of finders)
    for (const one of (await names?.(options)) ?? []) known.add(normaliseName(one))
  known.delete(normaliseName(concept))
  const siblings = siblingsOf(await openWordnet(), concept).map(normaliseName)
  // Where a source cannot say what it has, it is asked.
  const isOpen = finders.some(({ names }) => names === undefined)
  const near = siblings.filter((one) => known.has(one) || (isOpen && known.size === 0))
  const others = [...known].toSorted(
    (a, b) => hash32(`${concept}/${a}`) - hash32(`${concept}/${b}`),
  )
  return [...new Set([...near, ...others])].slice(0, NEGATIVES)
}

/** Other kinds of what a concept is a kind of, by its first meaning; what means the same is left out. */
function siblingsOf(wordnet: Wordnet, concept: string): readonly string[] {
  const [meaning] = wordnet.meanings(concept)
  if (meaning === undefined) return []
  const same = new Set(meaning.words)
  const siblings = meaning.hypernyms.flatMap((id) => wordnet.synset(id).hyponyms)
  return siblings.flatMap((id) => {
    const [word] = wordnet.synset(id).words
    return id === meaning.id || word === undefined || same.has(word) ? [] : [word]
  })
}
