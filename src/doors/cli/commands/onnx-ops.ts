import { openModelDesk } from '../../../app/index.ts'
import type { OperatorUse } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor, table } from '../style.ts'

const GRADIENT: { readonly [K in OperatorUse['gradient']]: string } = {
  rule: 'gradients pass',
  flat: 'flat: gradients end here',
  lowered: 'written in primitives first',
  none: 'no gradient',
}

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const [model = ''] = input.args
  const operators = (await openModelDesk()).operators(pathFrom(input, model))
  if (global.json) writeJson(io, { operators })
  else {
    const paint = paintFor(io.stdout, io, global.color)
    const rows = operators.map(({ domain, op, count, gradient }) => [
      String(count),
      domain === '' ? op : `${domain}.${op}`,
      gradient === 'none' ? paint.yellow(GRADIENT[gradient]) : GRADIENT[gradient],
    ])
    io.stdout.write(rows.length === 0 ? '' : `${table(rows)}\n`)
  }
  return 0
}
