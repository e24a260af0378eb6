import { nearestNames, UserFault } from '../../../base/index.ts'
import type { Pupil } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor, table } from '../style.ts'
import type { Paint } from '../style.ts'

type Signature = Awaited<ReturnType<Pupil['tools']>>[number]

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [name] = input.args
  const all = await withPupil(input, (pupil) => pupil.tools())
  const paint = paintFor(io.stdout, io, global.color)
  if (name !== undefined) {
    const tool = all.find((one) => one.name === name.toUpperCase()) ?? unknown(name, all)
    if (global.json) writeJson(io, tool)
    else io.stdout.write(explain(tool, paint))
    return 0
  }
  const family = options.family as string | undefined
  const tools = all.filter(
    (one) => family === undefined || family === 'open' || one.families.includes(family),
  )
  if (global.json) writeJson(io, { tools })
  else
    io.stdout.write(
      `${table(tools.map((one) => [paint.bold(one.name), paint.dim(call(one)), firstSentence(one.about)]))}\n`,
    )
  return 0
}

function unknown(name: string, all: readonly Signature[]): never {
  const names = all.map((one) => one.name)
  const near = nearestNames(name, names)
  throw new UserFault('T_UNKNOWN_TOOL', `There is no tool "${name}".`, {
    fields: { tool: name, known: names },
    cure: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Tools: ${names.join(', ')}.`,
  })
}

function explain(tool: Signature, paint: Paint): string {
  const rows = tool.args.map((arg) => [
    `  ${paint.cyan(arg.name)}`,
    paint.dim(arg.type + (arg.default === undefined ? '' : ` = ${String(arg.default)}`)),
    arg.about,
  ])
  const values = tool.args.filter((arg) => arg.values !== undefined)
  return [
    `${paint.bold(tool.name)}${call(tool)}`,
    '',
    tool.about,
    '',
    table(rows),
    ...values.map(
      (arg) =>
        `\n  ${arg.name}: ${arg.values?.slice(0, 24).join(', ')}${(arg.values?.length ?? 0) > 24 ? ', …' : ''}`,
    ),
    '',
    `Families: ${tool.families.join(', ')}${tool.learnable === true ? '. Can be taught by corrections.' : '.'}`,
    '',
  ].join('\n')
}

function call(tool: Signature): string {
  const args = tool.args.map((arg) => (arg.default === undefined ? arg.name : `${arg.name}?`))
  return `(${args.join(', ')}) -> ${kindText(tool.out)}`
}

function kindText(kind: unknown): string {
  if (typeof kind === 'string') return kind
  return `list of ${kindText((kind as { list: unknown }).list)}`
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
}
