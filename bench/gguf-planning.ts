// How a small GGUF model writes programs, freely and under a grammar of our language. By hand:
//   npm install node-llama-cpp@3.21.1   (or give --module FOLDER/node_modules/node-llama-cpp)
//   node bench/gguf-planning.ts FILE.gguf [--count 40] [--module PATH] [--threads N] [--mode free|grammar] [--show]
// Each instruction is one of our own demonstrations, with itself kept out of the examples.
import { parseArgs } from 'node:util'
import { ggufModel } from '../src/llm/index.ts'
import type { Message, ModelReply } from '../src/llm/index.ts'
import { createRetriever, memoryDemonstrations, startDemonstrations } from '../src/memory/index.ts'
import type { Demonstration } from '../src/memory/index.ts'
import {
  check,
  diagnosticLine,
  FAMILIES,
  mayRun,
  offeredBy,
  parse,
  print,
  signatureLine,
} from '../src/program/index.ts'
import type { ArgSpec, Family, Signature } from '../src/program/index.ts'
import { SIGNATURES } from '../src/tools/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    module: { type: 'string' },
    threads: { type: 'string' },
    mode: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})
const [file] = positionals
if (file === undefined) throw new Error('Give the path of a .gguf file.')
const model = ggufModel(file, {
  ...(values.module === undefined ? {} : { modulePath: values.module }),
  ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
})

const all = startDemonstrations().filter(({ verdict, program }) => verdict === 'right' && program)
const every = Math.max(1, Math.floor(all.length / Number(values.count)))
const asked = all.filter((_, i) => i % every === 0).slice(0, Number(values.count))

const ARG: Readonly<Record<ArgSpec['type'], string>> = {
  ...{ image: 'name', objects: 'name', variable: 'name', list: 'name' },
  ...{ text: 'text', texts: 'text', expression: 'expr', emoji: 'text' },
  ...{ integer: 'number', number: 'number', bool: '("True" | "False")' },
}

/** Straight-line programs over the tools of a family, as GBNF. */
function grammarOf(tools: readonly Signature[], resultName: string): string {
  const calls = tools.filter(({ name }) => name !== 'RESULT').map(callRule)
  return [
    `root ::= step{1,6} "${resultName}=RESULT(var=" name ")\\n"`,
    `step ::= name "=" (${calls.join(' | ')}) "\\n"`,
    'name ::= [A-Z] [A-Z0-9_]{0,11}',
    `text ::= "'" [^'"\\n\\\\]{1,40} "'"`,
    `expr ::= "\\"" [^"\\n\\\\]{1,80} "\\"" | "'" [^'"\\n\\\\]{1,80} "'"`,
    'number ::= "-"? [0-9]{1,4} ("." [0-9]{1,3})?',
  ].join('\n')
}

function callRule({ name, args }: Signature): string {
  const parts = args.map((arg, i) => {
    const value = `"${i === 0 ? '' : ','}${arg.name}=" ${arg.values === undefined ? ARG[arg.type] : oneOf(arg.values)}`
    return arg.default === undefined ? value : `(${value})?`
  })
  return `"${name}(" ${parts.join(' ')} ")"`
}

function oneOf(texts: readonly string[]): string {
  return `(${texts.map((text) => `"'${text}'"`).join(' | ')})`
}

async function examplesFor({ id, family, instruction }: Demonstration): Promise<Message[]> {
  const pool = memoryDemonstrations(all.filter((one) => one.id !== id))
  const query = { family, instruction, kind: 'program', verdict: 'right', k: 4 } as const
  const found = await createRetriever({ pool }).nearest(query)
  return found.flatMap(({ demonstration }): Message[] => [
    { role: 'user', content: demonstration.instruction },
    { role: 'assistant', content: `${demonstration.program}\n` },
  ])
}

async function write(demo: Demonstration, family: Family, grammar?: string): Promise<ModelReply> {
  const tools = offeredBy(family, SIGNATURES).map(signatureLine).join('\n')
  const content = `Write a program, one call a line, only the program. Tools:\n${tools}`
  return model.generate({
    messages: [
      { role: 'system', content },
      ...(await examplesFor(demo)),
      { role: 'user', content: demo.instruction },
    ],
    maxTokens: 200,
    ...(grammar === undefined ? {} : { grammar }),
  })
}

for (const mode of ['free', 'grammar'] as const) {
  if (values.mode !== undefined && values.mode !== mode) continue
  const sum = { sound: 0, same: 0, cut: 0, tokens: 0, ms: 0 }
  for (const demo of asked) {
    const family = Object.values(FAMILIES).find(({ name }) => name === demo.family)
    if (family === undefined) throw new Error(`no family ${demo.family}`)
    const grammar =
      mode === 'grammar' ? grammarOf(offeredBy(family, SIGNATURES), family.resultName) : undefined
    const reply = await write(demo, family, grammar)
    const program = parse(reply.text)
    const diagnostics = check(program, { family, signatures: SIGNATURES })
    const sound = mayRun(diagnostics)
    if (values.show) {
      console.log([demo.instruction, reply.text, ...diagnostics.map(diagnosticLine), ''].join('\n'))
    }
    sum.sound += Number(sound)
    sum.same += Number(sound && print(program) === print(parse(demo.program ?? '')))
    sum.cut += Number(reply.finish === 'length')
    sum.tokens += reply.usage.outputTokens
    sum.ms += reply.ms
  }
  console.log(
    `${mode.padEnd(8)} ${asked.length} instructions: ${sum.sound} sound, ${sum.same} as in the demonstration, ` +
      `${sum.cut} cut; ${Math.round(sum.ms / asked.length)} ms each, ${((1000 * sum.tokens) / sum.ms).toFixed(1)} tokens/s`,
  )
}
await model.close()
