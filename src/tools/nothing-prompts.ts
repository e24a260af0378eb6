import { normaliseName } from './names.ts'

/** Prompts that ask for nothing in the place. */
const NOTHING = new Set(
  (
    'nothing,background,empty,empty space,blank,remove,removed,removal,erase,erased,delete,deleted,' +
    'nothing at all,empty background,clean background,plain background,surrounding,surroundings'
  ).split(','),
)

/** Whether a prompt of REPLACE means that the thing is to go. */
export function asksForNothing(prompt: string): boolean {
  return NOTHING.has(normaliseName(prompt))
}
