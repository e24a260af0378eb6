// How well instructions are planned: by a small GGUF model, freely and under the grammar of our language,
// and by analogy without any model. Everything goes through the agent: plan, program, repairs, way round.
//   npm install --no-save node-llama-cpp@3.21.1   (or give --module FOLDER/node_modules/node-llama-cpp)
//   node bench/gguf-planning.ts FILE.gguf [--modes analogy,free,grammar] [--count 40] [--examples 4]
//     [--module PATH] [--threads 1] [--show]
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
import { ggufModel } from '../src/llm/index.ts'
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
const pool = memoryDemonstrations(startDemonstrations())

/** As many instructions of each family, spread over all that can be carried out. */
function chosenCases(count: number): readonly HeldOutCase[] {
  const all = heldOutCases().filter(({ accept }) => accept !== undefined)
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

async function measure(mode: string, cases: readonly HeldOutCase[]): Promise<void> {
  const agent = agentFor(modelOf(mode))
  const sums = new Map<string, number>()
  const add = (name: string, by: number): unknown => sums.set(name, (sums.get(name) ?? 0) + by)
  const faults: string[] = []
  const start = performance.now()
  for (const one of cases) {
    const { family: name, instruction } = one
    const family = Object.values(FAMILIES).find((known) => known.name === name)
    const inputs = Object.fromEntries((family?.inputs ?? []).map((input) => [input.name, picture]))
    const run = await agent.run({ agent: 'programs', family: name, instruction, inputs, seed: 1 })
    const judged = judge(run, one)
    for (const key of ['sound', 'soundAtLast', 'right', 'rightAtLast'] as const) {
      add(key, Number(judged[key]))
    }
    add(`right in ${name}`, Number(judged.rightAtLast))
    add('calls', run.cost.calls)
    add('tokens', run.cost.tokens)
    faults.push(...judged.faults)
    if (values.show) show(run, one, judged)
  }
  const seconds = (performance.now() - start) / 1000 / cases.length
  const count = (name: string): number => sums.get(name) ?? 0
  console.log(
    [
      `${mode}: ${cases.length} instructions`,
      `first program: ${count('sound')} sound, ${count('right')} right`,
      `after repairs: ${count('soundAtLast')} sound, ${count('rightAtLast')} right`,
      `(${families(cases)
        .map((name) => `${name} ${count(`right in ${name}`)}`)
        .join(', ')})`,
      `${(count('calls') / cases.length).toFixed(1)} calls and ${Math.round(count('tokens') / cases.length)} tokens each`,
      `${seconds.toFixed(3)} s each`,
    ].join('; '),
  )
  if (faults.length > 0) console.log(`  faults of first programs: ${tally(faults)}`)
}

function modelOf(mode: string): LanguageModel | undefined {
  if (mode === 'analogy') return undefined
  if (gguf === undefined) throw new Error('Give the path of a .gguf file, or --modes analogy.')
  const { id, generate, stream, capabilities } = gguf
  return { id, generate, stream, capabilities: { ...capabilities, grammar: mode === 'grammar' } }
}

function show(run: Run, { family, instruction }: HeldOutCase, judged: Judged): void {
  console.log(`\n[${family}] ${instruction}  ${JSON.stringify(judged)}`)
  for (const step of run.steps) {
    if (step.kind === 'plan') console.log(step.plan.replace(/^/gm, '  | '))
    if (step.kind === 'program') console.log(step.program.replace(/^/gm, `  ${step.attempt} `))
  }
  if (run.outcome.status === 'error') console.log(`  ! ${run.outcome.error.message.slice(0, 300)}`)
}

function families(cases: readonly HeldOutCase[]): readonly string[] {
  return [...new Set(cases.map(({ family }) => family))]
}

function tally(words: readonly string[]): string {
  const groups = [...Map.groupBy(words, (word) => word)].sort((a, b) => b[1].length - a[1].length)
  return groups.map(([word, all]) => `${word} ${all.length}`).join(', ')
}

console.log(
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${values.threads} thread`,
)
const cases = chosenCases(Number(values.count))
for (const mode of values.modes.split(',')) await measure(mode, cases)
await gguf?.close()
