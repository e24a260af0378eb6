import type { CommandInput } from '../command.ts'
import { perform } from '../perform.ts'

export async function run(input: CommandInput): Promise<number> {
  const [left = '', right = '', text = ''] = input.args
  return perform(input, { family: 'nlvr', pictures: [left, right], text })
}
