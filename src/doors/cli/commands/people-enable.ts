import { peopleCommand } from './people.ts'

export const run = peopleCommand('enable')
