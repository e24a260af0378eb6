/** One cell of the loop's tables: a family, a setting, a method and a seed; kept on disk once it is measured. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../src/base/index.ts'
import { openPupil } from '../src/app/index.ts'
import type { LoopReport, LoopSwitches, Pupil, UserConfig } from '../src/app/index.ts'
import { worldDemonstrations } from '../world/index.ts'
import type { Library, ScoreMeans, TaskFamily } from '../world/index.ts'
import { loopSets, loopTask } from './loop-tasks.ts'
import type { LoopSizes, Mark } from './loop-tasks.ts'
import { noisyFolder } from './loop-noise.ts'

export type Setting = 'offline' | 'online'

export interface CellName {
  readonly family: TaskFamily
  readonly setting: Setting
  /** As the tables call it. */
  readonly method: string
  readonly seed: number
}

/** What every cell of a run shares; cells of another plan are other cells. */
export interface CellPlan extends LoopSizes {
  readonly learning: NonNullable<UserConfig['learning']>
  /** Share of wrong pictures among those found; undefined: the picture world's own search. */
  readonly noise?: number
}

export interface Cell {
  readonly marks: readonly Mark[]
  /** How training tasks ended. */
  readonly outcomes: Readonly<Record<string, number>>
  /** Lessons that act in the end, by what they brought. */
  readonly lessons: Readonly<Record<string, number>>
  /** Why lessons were not learnt, or not applied: reason → how often. */
  readonly reasons: Readonly<Record<string, number>>
  /** Tests that ended in an error, by code. */
  readonly errors: Readonly<Record<string, number>>
  readonly seconds: number
}

export interface CellMeans {
  readonly library: Library
  readonly means: ScoreMeans
  /** Sprites and converted models. */
  readonly cache: string
  /** Where cells are kept. */
  readonly cells: string
}

/** A digest of the shipped weights: cells of other weights are other cells. */
export function weightsDigest(): string {
  const cards = ['encoder', 'text', 'detector', 'segmenter', 'vqa', 'inpaint', 'judge'].map(
    (name) => readFileSync(new URL(`../models/starter/${name}/card.json`, import.meta.url), 'utf8'),
  )
  const files = cards.map((text) => (JSON.parse(text) as { files: object }).files)
  return sha256(JSON.stringify(files)).slice(0, 10)
}

function cellFile(name: CellName, plan: CellPlan, cells: string): string {
  const digest = sha256(JSON.stringify(plan)).slice(0, 10)
  const { family, setting, method, seed } = name
  const file = `${family}-${setting}-${method.replaceAll(/[^a-z0-9]+/gi, '_')}-${seed}.json`
  return join(cells, weightsDigest(), digest, file)
}

/** A cell that was measured before, if it was. */
export function keptCell(name: CellName, plan: CellPlan, cells: string): Cell | undefined {
  const file = cellFile(name, plan, cells)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Cell) : undefined
}

/** Measures a cell and keeps it. @param switches  null answers and learns nothing */
export async function measureCell(
  name: CellName,
  switches: LoopSwitches | null,
  plan: CellPlan,
  { library, means, cache, cells }: CellMeans,
): Promise<Cell> {
  const start = performance.now()
  const { train, test, concepts } = loopSets(library, name.family, name.seed, plan)
  const marks = new Map<string, Mark>()
  const counts = { outcomes: {}, reasons: {}, errors: {} } as Record<string, Record<string, number>>
  const count = (list: string, key: string): void => {
    const counted = counts[list] ?? {}
    counted[key] = (counted[key] ?? 0) + 1
    counts[list] = counted
  }
  const noteTests = ({ results }: LoopReport): void => {
    for (const { error } of results) if (error !== undefined) count('errors', error)
  }
  const noteLessons = ({ results }: LoopReport): void => {
    for (const { outcome, notes } of results) {
      count('outcomes', outcome)
      for (const note of notes) count('reasons', note.replaceAll(/\d+/g, 'n'))
    }
  }
  const work = mkdtempSync(join(tmpdir(), 'pupil-loop-'))
  try {
    const folder =
      plan.noise === undefined
        ? undefined
        : await noisyFolder(library, join(work, 'pictures'), {
            ...{ share: plan.noise, concepts, seed: name.seed },
          })
    const pupil = await openAssistant(work, cache, plan, folder)
    try {
      const asked = (tasks: readonly (typeof train)[number][]) =>
        tasks.map((task) => loopTask(task, library, means, marks))
      if (name.setting === 'offline') {
        if (switches !== null) noteLessons(await pupil.train(asked(train), { switches }))
        marks.clear()
        noteTests(await pupil.evaluate(asked(test)))
      } else {
        const stream = asked([...train, ...test])
        const report =
          switches === null ? await pupil.evaluate(stream) : await pupil.train(stream, { switches })
        noteTests(report)
        if (switches !== null) noteLessons(report)
      }
      const cell: Cell = {
        ...{ marks: [...marks.values()], lessons: await lessonsOf(pupil, count) },
        ...{ outcomes: counts['outcomes'] ?? {}, reasons: counts['reasons'] ?? {} },
        ...{ errors: counts['errors'] ?? {}, seconds: (performance.now() - start) / 1000 },
      }
      const file = cellFile(name, plan, cells)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, JSON.stringify(cell))
      return cell
    } finally {
      await pupil.close()
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function openAssistant(
  home: string,
  cache: string,
  { learning }: CellPlan,
  pictureFolder: string | undefined,
): Promise<Pupil> {
  const sources = pictureFolder === undefined ? { world: true } : { pictureFolder }
  const pupil = await openPupil({
    config: { profile: 'starter', cache, sources, learning },
    cwd: home,
    env: { PUPIL_HOME: home },
  })
  // What the frozen system of `pupil eval world` plans by: examples in training wordings.
  for (const { family, instruction, program } of worldDemonstrations()) {
    await pupil.demonstrations.add({ family, instruction, program })
  }
  return pupil
}

/** Lessons that act, by what they brought; those kept out are counted with their reason. */
async function lessonsOf(
  pupil: Pupil,
  count: (list: string, key: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const lessons: Record<string, number> = {}
  for (const one of await pupil.learning.lessons()) {
    if (one.status === 'kept-out') count('reasons', (one.reason ?? '').replaceAll(/\d+/g, 'n'))
    if (one.status !== 'applied') continue
    const isGathered = one.examples.some((id) => id.includes('/gathered/'))
    const what = one.prompts.length > 0 ? 'prompts' : isGathered ? 'gathered' : 'own'
    lessons[what] = (lessons[what] ?? 0) + 1
  }
  return lessons
}
