import { z } from 'zod'
import type { DialogueTurn, Task } from '../tasks/task.ts'
import { noTask } from './gqa.ts'
import { jsonPieces } from './json-stream.ts'
import type { Chunks } from './json-stream.ts'

/** A conversation as LLaVA has it; LLaVA-Plus adds thoughts and actions to the assistant's turns. */
export interface LlavaSample {
  readonly id?: string
  /** Relative path; absent in text-only samples. */
  readonly image?: string
  readonly conversations: readonly LlavaTurn[]
  readonly pupil?: unknown
}

export interface LlavaTurn {
  readonly from: 'human' | 'gpt'
  readonly value: string
  readonly thoughts?: string
  readonly actions?: readonly {
    readonly API_name: string
    readonly API_params: Readonly<Record<string, unknown>>
  }[]
}

const shape = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  unique_id: z.union([z.string(), z.number()]).transform(String).optional(),
  image: z.string().optional(),
  // The generator of the reference writes this one instead.
  file_name: z.string().optional(),
  conversations: z.array(
    z.looseObject({
      from: z.enum(['human', 'gpt']),
      value: z.string(),
      thoughts: z.string().optional(),
      actions: z
        .array(z.object({ API_name: z.string(), API_params: z.record(z.string(), z.unknown()) }))
        .optional(),
    }),
  ),
  pupil: z.unknown().optional(),
})

/** Samples of a LLaVA file, one after another. */
export async function* readLlava(chunks: Chunks): AsyncGenerator<LlavaSample> {
  for await (const { value } of jsonPieces(chunks, 1)) {
    const one = shape.parse(value)
    const id = one.id ?? one.unique_id
    const image = one.image ?? one.file_name
    yield {
      ...(id === undefined ? {} : { id }),
      ...(image === undefined ? {} : { image }),
      conversations: one.conversations.map(({ from, value: text, thoughts, actions }) => ({
        from,
        value: text,
        ...(thoughts === undefined ? {} : { thoughts }),
        ...(actions === undefined ? {} : { actions }),
      })),
      ...(one.pupil === undefined ? {} : { pupil: one.pupil }),
    }
  }
}

/** Tasks as conversations: dialogues with their skills, other tasks as a question and its answer. */
export function writeLlava(tasks: readonly Task[]): string {
  return JSON.stringify(tasks.map(toSample))
}

function toSample(task: Task): LlavaSample {
  const { id, ...rest } = task
  const turns = task.dialogue?.flatMap(toTurns) ?? [
    { from: 'human' as const, value: task.instruction },
    { from: 'gpt' as const, value: task.answer ?? '' },
  ]
  return {
    id,
    image: task.scenes[0]?.image,
    conversations: turns.map((turn, i) =>
      i === 0 ? { ...turn, value: `<image>\n${turn.value}` } : turn,
    ),
    pupil: rest,
  }
}

/** Question, call, result and answer, as LLaVA-Plus trains on them. @source llava-plus §7.1, §2.3 */
function toTurns(turn: DialogueTurn): readonly LlavaTurn[] {
  const { question, thoughts, actions, announce, result, answer } = turn
  const name = actions[0]?.API_name ?? ''
  if (result === null) {
    return [
      { from: 'human', value: question },
      { from: 'gpt', thoughts, actions: [], value: answer },
    ]
  }
  const told = `${name} output: ${JSON.stringify(shownResult(result))}`
  return [
    { from: 'human', value: question },
    { from: 'gpt', thoughts, actions, value: announce },
    { from: 'human', value: `${told}\n\nAnswer my first question: ${question}` },
    {
      from: 'gpt',
      thoughts: `Thanks to the output of ${name}. I can answer the question better.`,
      actions: [],
      value: answer,
    },
  ]
}

/** Masks and edited pictures are shown, not told. */
function shownResult(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(result).filter(([key]) => key !== 'masks_rle'))
}

/** Tasks back from such a file. */
export async function readLlavaTasks(chunks: Chunks): Promise<readonly Task[]> {
  const tasks: Task[] = []
  for await (const { id = '', pupil } of readLlava(chunks)) {
    if (pupil === undefined) throw noTask(id)
    tasks.push({ ...(pupil as Omit<Task, 'id'>), id })
  }
  return tasks
}
