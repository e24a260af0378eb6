import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor, table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const diagnosis = await withPupil(input, (pupil) =>
    pupil.doctor({ signal: io.signal, probe: options.probe === true }),
  )
  const bad = diagnosis.findings.some((one) => one.state === 'bad')
  if (global.json) {
    writeJson(io, diagnosis)
    return bad ? 1 : 0
  }
  const paint = paintFor(io.stdout, io, global.color)
  if (options.licences === true) {
    const rows = diagnosis.licences.map((one) => [
      paint.bold(one.model),
      one.package,
      one.licence,
      one.note,
    ])
    io.stdout.write(`${table([['MODEL', 'PACKAGE', 'LICENCE', 'NOTE'].map(paint.dim), ...rows])}\n`)
    return 0
  }
  io.stdout.write(`pupil ${diagnosis.version} · Node ${diagnosis.node}\n\n`)
  const marks = { good: paint.green('✓'), missing: paint.yellow('–'), bad: paint.red('✗') }
  for (const { name, state, detail, cure } of diagnosis.findings) {
    io.stdout.write(`${marks[state]} ${paint.bold(name)}: ${detail}\n`)
    if (cure !== undefined) io.stdout.write(paint.dim(`    ${cure}\n`))
  }
  return bad ? 1 : 0
}
