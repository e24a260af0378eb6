import { z } from 'zod'
import type { Task } from '../tasks/task.ts'
import { noTask } from './gqa.ts'
import { lines } from './json-stream.ts'
import type { Chunks } from './json-stream.ts'

/** A statement as NLVR2 has it. */
export interface Nlvr2Statement {
  readonly identifier: string
  readonly sentence: string
  /** Absent in hidden tests. */
  readonly label?: boolean
  readonly images: readonly [left: string, right: string]
  readonly pupil?: unknown
}

const shape = z.looseObject({
  identifier: z.string(),
  sentence: z.string(),
  label: z.enum(['True', 'False']).optional(),
  pupil: z.unknown().optional(),
})

/** The pictures of an identifier: without its last part, with `-img0.png` and `-img1.png` (W12). */
export function nlvr2Images(identifier: string): readonly [left: string, right: string] {
  const pair = identifier.slice(0, identifier.lastIndexOf('-'))
  return [`${pair}-img0.png`, `${pair}-img1.png`]
}

/** Statements of a file of JSON lines, one after another. */
export async function* readNlvr2(chunks: Chunks): AsyncGenerator<Nlvr2Statement> {
  for await (const line of lines(chunks)) {
    const { identifier, sentence, label, pupil } = shape.parse(JSON.parse(line))
    const images = nlvr2Images(identifier)
    yield { identifier, sentence, images, pupil, ...(label && { label: label === 'True' }) }
  }
}

/** A line for each task; each has a pair of pictures of its own. */
export function writeNlvr2(tasks: readonly Task[], part = 'pupil'): string {
  return tasks
    .map((task, n) => {
      const { answer, instruction, ...rest } = task
      const label = answer === 'true' ? 'True' : 'False'
      const line = { identifier: `${part}-${n}-0-0`, sentence: instruction, label, pupil: rest }
      return `${JSON.stringify(line)}\n`
    })
    .join('')
}

/** Tasks back from such lines. */
export async function readNlvr2Tasks(chunks: Chunks): Promise<readonly Task[]> {
  const tasks: Task[] = []
  for await (const { identifier, sentence, label, pupil } of readNlvr2(chunks)) {
    if (pupil === undefined) throw noTask(identifier)
    const rest = pupil as Omit<Task, 'instruction' | 'answer'>
    tasks.push({ ...rest, instruction: sentence, answer: String(label) })
  }
  return tasks
}
