import { openModelDesk } from '../../../app/index.ts'
import type { Differentiated } from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { summaryText } from '../onnx-text.ts'
import { pathFrom } from '../open.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [model = ''] = input.args
  const loss = options.loss as string | undefined
  const wrt = (options.wrt ?? []) as readonly string[]
  if (loss === undefined || wrt.length === 0) {
    throw new UserFault('E_USAGE', 'Expected --loss and at least one --wrt.', {
      cure: 'See the names of values with "pupil onnx show MODEL --text".',
    })
  }
  const sizes = Object.fromEntries(((options.size ?? []) as readonly string[]).map(readSize))
  const out = options.out === undefined ? undefined : pathFrom(input, String(options.out))
  const desk = await openModelDesk()
  const request = { loss, wrt, sizes, ...(out === undefined ? {} : { out }) }
  const made = await desk.differentiate(pathFrom(input, model), request, { signal: io.signal })
  if (global.json) writeJson(io, made)
  else io.stdout.write(`${gradientText(made)}\n`)
  return 0
}

/** `pixels=1x3x224x224`. */
function readSize(text: string): readonly [name: string, sizes: readonly number[]] {
  const [, name = '', sizes = ''] = /^(.+)=(\d+(?:[x,]\d+)*)$/.exec(text) ?? []
  if (name === '') {
    throw new UserFault(
      'E_USAGE',
      `Expected an input and its sizes for --size but got "${text}".`,
      {
        fields: { size: text },
        cure: 'Write it like --size pixel_values=1x3x224x224.',
      },
    )
  }
  return [name, sizes.split(/[x,]/).map(Number)]
}

function gradientText({ loss, meanOf, gradients, nodes, summary, file }: Differentiated): string {
  const rows = [
    ['loss', meanOf === undefined ? loss : `${loss}, the mean of ${meanOf}`],
    ...gradients.map(({ wrt, output, dims }) => [
      'gradient',
      `${output}: [${dims.join(', ')}] of ${wrt}`,
    ]),
    ['nodes', `${nodes.forward} forward, ${nodes.all} with the gradient`],
    ...(file === undefined ? [] : [['written', file]]),
  ]
  return `${table(rows)}\n\n${summaryText(summary)}`
}
