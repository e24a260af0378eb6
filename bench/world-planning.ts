// How well planning by analogy carries over to wordings that it was not shown, on tools that read the
// truth, so that no model's error is in it: `node bench/world-planning.ts [TASKS] [FAMILIES] [--shown]
// [--held-out] [--cases FILE]`. Each *training* wording is left out in turn: its tasks are planned with the
// demonstrations of all other training wordings. Held-out wordings take no part, so rules and
// demonstrations may be improved by this bench; what they are worth is measured by
// --held-out, which prints no case. With --shown nothing is left out. A wrong plan is worse than a refusal.
import { writeFile } from 'node:fs/promises'
import { createProgramsAgent } from '../src/agents/index.ts'
import { countingIds, noProgress } from '../src/base/index.ts'
import { memoryDemonstrations, startDemonstrations } from '../src/memory/index.ts'
import type { Demonstration } from '../src/memory/index.ts'
import { createToolbox, NO_BACKENDS } from '../src/tools/index.ts'
import {
  languageFamily,
  makeTasks,
  openLibrary,
  scorePlan,
  taskOnTruth,
  worldDemonstrations,
} from '../world/index.ts'
import type { Task, TaskFamily } from '../world/index.ts'

const ALL: readonly TaskFamily[] = ['gqa', 'nlvr', 'imgedit', 'tagging', 'knowledge']
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const heldOut = process.argv.includes('--held-out')
const shown = heldOut || process.argv.includes('--shown')
const at = process.argv.indexOf('--cases')
const casesFile = at === -1 || heldOut ? undefined : process.argv[at + 1]
const [count = '200', families = ALL.join()] = words.filter((word) => word !== casesFile)

interface Case {
  readonly wording: string
  readonly instruction: string
  readonly outcome: 'right' | 'refused' | 'wrong'
  readonly confidence?: number
  readonly program?: string
  readonly reference: string
  readonly explanation?: string
  readonly error?: string
}

const library = await openLibrary(['noto'], { cacheFolder: '.cache/sprites' })
const { signatures } = createToolbox({ backends: NO_BACKENDS })
let toolbox = createToolbox({ backends: NO_BACKENDS })
const own: readonly Demonstration[] = worldDemonstrations().map((one) => ({
  ...one,
  ...({ verdict: 'right', score: 1000, origin: 'start' } as const),
}))
const pool = memoryDemonstrations([...startDemonstrations(), ...own])
const agent = createProgramsAgent({
  ...{ pool, signatures, ids: countingIds() },
  call: (name, args, context) => toolbox.call(name, args, { ...context, progress: noProgress }),
})

const cases: Case[] = []
for (const family of families.split(',') as TaskFamily[]) {
  const tasks = makeTasks(library, {
    ...{ family, count: Number(count), styles: ['noto'], seeds: 'train', size: 128 },
    ...{ wording: heldOut ? 'held-out' : 'train', split: 'known' },
  })
  const found: Case[] = []
  for (const [wording, members] of Map.groupBy(tasks, (task) => task.wording)) {
    const left = shown ? [] : own.filter(({ id }) => id.startsWith(`world/${wording}/`))
    for (const one of left) await pool.remove(one.id)
    for (const task of members) found.push(await carryOut(task))
    for (const one of left) await pool.put(one)
  }
  cases.push(...found)
  console.log(line(family, found))
  if (heldOut) continue
  const forms = Map.groupBy(found, ({ wording }) => wording.split('#')[0] ?? '')
  for (const [form, members] of forms) console.log(line(`  ${form}`, members))
}
if (casesFile !== undefined) await writeFile(casesFile, JSON.stringify(cases, null, 1))

async function carryOut(task: Task): Promise<Case> {
  const { inputs, backends } = taskOnTruth(task, library)
  toolbox = createToolbox({ backends })
  const { name: family } = languageFamily(task.family)
  const run = await agent.run(
    { agent: 'programs', family, instruction: task.instruction, inputs, seed: 1 },
    { createdAt: 0 },
  )
  const { outcome } = run
  const value = outcome.status === 'done' ? outcome.value : undefined
  const { strict } = await scorePlan(task, value, library)
  const plan = run.steps.findLast((step) => step.kind === 'program')
  return {
    ...{ wording: task.wording, instruction: task.instruction, reference: task.program },
    outcome: strict ? 'right' : plan === undefined ? 'refused' : 'wrong',
    ...(plan === undefined ? {} : { program: plan.program }),
    ...(plan?.confidence === undefined ? {} : { confidence: plan.confidence }),
    ...(plan?.explanation === undefined ? {} : { explanation: plan.explanation }),
    ...(outcome.status === 'error' ? { error: outcome.error.message } : {}),
  }
}

function line(name: string, found: readonly Case[]): string {
  const of = (kind: Case['outcome']): string => {
    const share = found.filter(({ outcome }) => outcome === kind).length / found.length
    return `${kind} ${(100 * share).toFixed(1).padStart(5)} %`
  }
  return `${name.padEnd(24)} n ${String(found.length).padStart(4)}  ${of('right')}  ${of('refused')}  ${of('wrong')}`
}
