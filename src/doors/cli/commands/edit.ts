import type { CommandInput } from '../command.ts'
import { freeName } from '../output.ts'
import { perform } from '../perform.ts'

export async function run(input: CommandInput): Promise<number> {
  const [picture = '', text = ''] = input.args
  const out = (): Promise<string> => freeName(input, picture)
  return perform(input, { family: 'imgedit', pictures: [picture], text, out })
}
