// How well instructions are planned: by a small GGUF model, freely and under the grammar of our language,
// and by analogy without any model. Everything goes through the agent: plan, program, repairs, way round.
//   npm install --no-save node-llama-cpp@3.21.1   (or give --module FOLDER/node_modules/node-llama-cpp)
//   node bench/gguf-planning.ts FILE.gguf [--modes analogy,free,grammar] [--count 40] [--examples 4]
//     [--families gqa,nlvr] [--module PATH] [--threads 1] [--cache FOLDER] [--show]
// With a folder as cache, a run that was stopped goes on, and one of all families joins those of some.
// The instructions are rewordings that no demonstration has, as many of each family. A program is sound
// when it passes the check, right when it means the same as one that we wrote for the instruction, over
// made-up worlds. The tools are made up too, so that only the planning is measured.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { createProgramsAgent } from '../src/agents/index.ts'
import type { ProgramStep, Run } from '../src/agents/index.ts'
// The judge of the analogy tests, which is no part of the room's face.
import { heldOutCases, sameMeaning } from '../src/agents/programs/analogy/held-out.ts'
import type { HeldOutCase } from '../src/agents/programs/analogy/held-out.ts'
import { solidImage } from '../src/image/index.ts'
import { folderReplies, ggufModel, memoryReplies, withCache } from '../src/llm/index.ts'
import type { LanguageModel } from '../src/llm/index.ts'
import { memoryDemonstrations, startDemonstrations } from '../src/memory/index.ts'
import { FAMILIES, grammarFor } from '../src/program/index.ts'
import type { CallTool, Value } from '../src/program/index.ts'
import { SIGNATURES } from '../src/tools/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    modes: { type: 'string', default: 'analogy,free,grammar' },
    count: { type: 'string', default: '40' },
    examples: { type: 'string', default: '4' },
    families: { type: 'string' },
    cache: { type: 'string' },
    module: { type: 'string' },
    threads: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
  },
})
const [file] = positionals
const gguf =
  file === undefined
    ? undefined
    : ggufModel(file, {
        ...(values.module === undefined ? {} : { modulePath: values.module }),
        threads: Number(values.threads),
      })

const picture = solidImage({ width: 64, height: 48 }, [120, 120, 120])
const replies = values.cache === undefined ? memoryReplies() : folderReplies(values.cache)
const pool = memoryDemonstrations(startDemonstrations())

/** As many instructions of each family, spread over all that can be carried out. */
function chosenCases(count: number): readonly HeldOutCase[] {
  // The later sets reword ten sentences only.
  const all = heldOutCases().filter(({ accept, set }) => accept !== undefined && set <= 3)
  const families = [...Map.groupBy(all, ({ family }) => family).values()]
  const each = Math.ceil(count / families.length)
  return families.flatMap((cases) =>
    Array.from(
      { length: each },
      (_, i) => cases[Math.floor((i * cases.length) / each)] ?? [],
    ).flat(),
  )
}

/** Tools that always find something, so that a sound program has nothing to stumble over. */
const call: CallTool = async (tool, args) => {
  const signature = SIGNATURES.find(({ name }) => name === tool)
  const first = Object.values(args).find((value) => value !== null)
  switch (signature?.out) {
    case 'image':
      return { value: picture }
    case 'objects':
      return { value: [thing(0), thing(1)] }
    case 'number':
      return { value: Array.isArray(first) ? first.length : 1 }
    case 'text':
      return { value: spoken(String(args['question'] ?? '')) }
    default:
      return { value: ['robin', 'owl'] }
  }
}

const thing = (i: number): Value => ({
  ...{ type: 'object', id: `o${i}`, box: [i, 0, i + 9, 9], category: 'thing', score: 0.9 },
  ...{ mask: null, frame: picture.frame },
})

function spoken(question: string): string {
  if (/^how many/i.test(question)) return '2'
  if (/^(?:is|are|does|do|can|has) /i.test(question)) return 'yes'
  return /colou?r/i.test(question) ? 'red' : 'a sign'
}

function agentFor(model: LanguageModel | undefined) {
  return createProgramsAgent({
    ...{ model, pool, signatures: SIGNATURES, call, examples: Number(values.examples) },
    grammar: (family) => grammarFor(SIGNATURES, family),
  })
}

/** What became of an instruction. */
interface Judged {
  readonly sound: boolean
  readonly soundAtLast: boolean
  readonly right: boolean
  readonly rightAtLast: boolean
  readonly faults: readonly string[]
  readonly programs: number
}

function judge(run: Run, { accept = [] }: HeldOutCase): Judged {
  const written = run.steps.flatMap((step) =>
    step.kind === 'program' && step.by !== 'fallback' ? [step] : [],
  )
  const isSound = (step = written[0]): boolean => step !== undefined && faultsOf(step).length === 0
  const isRight = (step = written[0]): boolean =>
    step !== undefined && isSound(step) && accept.some((right) => sameMeaning(right, step.program))
  return {
    sound: isSound(),
    soundAtLast: isSound(written.at(-1)),
    right: isRight(),
    rightAtLast: isRight(written.at(-1)),
    faults: faultsOf(written[0]),
    programs: written.length,
  }
}

/** Codes of errors; those of warnings begin with W. */
function faultsOf(step: ProgramStep | undefined): readonly string[] {
  const codes = step?.diagnostics.map(({ code }) => code) ?? []
  return codes.filter((code) => !code.startsWith('W_'))
}

interface Result {
  readonly case: HeldOutCase
  readonly run: Run
  readonly judged: Judged
}

async function carryOut(mode: string, one: HeldOutCase): Promise<Result> {
  const { family: name, instruction } = one
  const family = Object.values(FAMILIES).find((known) => known.name === name)
  const inputs = Object.fromEntries((family?.inputs ?? []).map((input) => [input.name, picture]))
  const task = { agent: 'programs', family: name, instruction, inputs, seed: 1 } as const
  const run = await agentFor(modelOf(mode)).run(task)
  const judged = judge(run, one)
  if (values.show) show(mode, run, one, judged)
  return { case: one, run, judged }
}

function report(mode: string, results: readonly Result[]): void {
  const count = (test: (result: Result) => boolean): number => results.filter(test).length
  const mean = (of: (result: Result) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length
  const byFamily = [...Map.groupBy(results, (result) => result.case.family)].map(
    ([name, some]) => `${name} ${some.filter(({ judged }) => judged.rightAtLast).length}`,
  )
  console.log(
    [
      `${mode}: ${results.length} instructions`,
      `first program: ${count(({ judged }) => judged.sound)} sound, ${count(({ judged }) => judged.right)} right`,
      `after repairs: ${count(({ judged }) => judged.soundAtLast)} sound, ${count(({ judged }) => judged.rightAtLast)} right (${byFamily.join(', ')})`,
      `${mean(({ run }) => run.cost.calls).toFixed(1)} calls, ${mean(({ run }) => run.cost.tokens).toFixed(0)} tokens each`,
    ].join('; '),
  )
  const faults = results.flatMap(({ judged }) => judged.faults)
  if (faults.length > 0) console.log(`  faults of first programs: ${tally(faults)}`)
}

function modelOf(mode: string): LanguageModel | undefined {
  if (mode === 'analogy') return undefined
  if (gguf === undefined) throw new Error('Give the path of a .gguf file, or --modes analogy.')
  const { capabilities } = gguf
  const model = withCache(gguf, replies)
  return { ...model, capabilities: { ...capabilities, grammar: mode === 'grammar' } }
}

function show(mode: string, run: Run, { family, instruction }: HeldOutCase, judged: Judged): void {
  console.log(`\n[${mode}, ${family}] ${instruction}  ${JSON.stringify(judged)}`)
  for (const step of run.steps) {
    if (step.kind === 'plan') console.log(step.plan.replace(/^/gm, '  | '))
    if (step.kind === 'program') console.log(step.program.replace(/^/gm, `  ${step.attempt} `))
  }
  if (run.outcome.status === 'error') console.log(`  ! ${run.outcome.error.message.slice(0, 300)}`)
}

function tally(words: readonly string[]): string {
  const groups = [...Map.groupBy(words, (word) => word)].sort((a, b) => b[1].length - a[1].length)
  return groups.map(([word, all]) => `${word} ${all.length}`).join(', ')
}

console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model.trim()}`)
const modes = values.modes.split(',')
const cases = chosenCases(Number(values.count)).filter(
  ({ family }) => values.families?.split(',').includes(family) ?? true,
)
const results = new Map(modes.map((mode): [string, Result[]] => [mode, []]))
const before = process.cpuUsage()
// All modes of an instruction one after another: they share the plan.
for (const one of cases) {
  for (const [mode, list] of results) list.push(await carryOut(mode, one))
}
for (const [mode, list] of results) report(mode, list)
const { user, system } = process.cpuUsage(before)
console.log(
  `${((user + system) / 1e6 / cases.length).toFixed(2)} s of processor each, all modes together`,
)
await gguf?.close()
