import type { CommandInput } from '../command.ts'
import { perform } from '../perform.ts'

export async function run(input: CommandInput): Promise<number> {
  const [picture = '', text = ''] = input.args
  return perform(input, { family: 'gqa', pictures: [picture], text })
}
