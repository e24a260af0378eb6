import { existsSync } from 'node:fs'
import type { CommandInput } from '../command.ts'
import { pathFrom } from '../open.ts'
import { perform } from '../perform.ts'

export async function run(input: CommandInput): Promise<number> {
  const [picture = '', file = ''] = input.args
  const family = (input.options.family as string | undefined) ?? 'open'
  // A comma separates two pictures, unless it belongs to the name of one.
  const whole = picture === '-' || existsSync(pathFrom(input, picture))
  const pictures = whole ? [picture] : picture.split(',')
  return perform(input, { family, pictures, text: file, program: true })
}
