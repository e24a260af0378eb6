import { z } from 'zod'
import type { Lexicon } from '../lexicon.ts'
import { UserFault } from '../../src/base/index.ts'
import { fromXywh } from '../../src/image/index.ts'
import type { Box } from '../../src/image/index.ts'
import type { Task, TaskScene } from '../tasks/task.ts'
import { jsonPieces } from './json-stream.ts'
import type { Chunks } from './json-stream.ts'

/** A question as GQA has it; `pupil` holds what GQA has no place for. */
export interface GqaQuestion {
  readonly id: string
  readonly imageId: string
  readonly question: string
  readonly answer?: string
  readonly fullAnswer?: string
  readonly types?: Readonly<Record<string, unknown>>
  readonly pupil?: unknown
}

/** A scene graph as GQA has it, boxes half-open in pixels. */
export interface GqaScene {
  readonly imageId: string
  readonly width: number
  readonly height: number
  readonly objects: readonly {
    readonly id: string
    readonly name: string
    readonly box: Box
    readonly attributes: readonly string[]
    readonly relations: readonly { readonly name: string; readonly object: string }[]
  }[]
  readonly pupil?: unknown
}

const questionShape = z.looseObject({
  imageId: z.coerce.string(),
  question: z.string(),
  answer: z.string().optional(),
  fullAnswer: z.string().optional(),
  types: z.record(z.string(), z.unknown()).optional(),
  pupil: z.unknown().optional(),
})

const objectShape = z.looseObject({
  name: z.string(),
  x: z.number(),
  y: z.number(),
  w: z.number(),
  h: z.number(),
  attributes: z.array(z.string()).default([]),
  relations: z.array(z.looseObject({ name: z.string(), object: z.coerce.string() })).default([]),
})

const sceneShape = z.looseObject({
  width: z.number(),
  height: z.number(),
  objects: z.record(z.string(), objectShape),
  pupil: z.unknown().optional(),
})

/** Questions of a GQA file, `{ [id]: { imageId, question, answer, … } }`, one after another. */
export async function* readGqaQuestions(chunks: Chunks): AsyncGenerator<GqaQuestion> {
  for await (const { path, value } of jsonPieces(chunks, 1)) {
    const { imageId, question, answer, fullAnswer, types, pupil } = questionShape.parse(value)
    yield { id: String(path[0]), imageId, question, answer, fullAnswer, types, pupil }
  }
}

/** Scene graphs of a GQA file, one after another. */
export async function* readGqaScenes(chunks: Chunks): AsyncGenerator<GqaScene> {
  for await (const { path, value } of jsonPieces(chunks, 1)) {
    const { width, height, objects, pupil } = sceneShape.parse(value)
    yield {
      imageId: String(path[0]),
      width,
      height,
      pupil,
      objects: Object.entries(objects).map(([id, one]) => ({
        id,
        name: one.name,
        box: fromXywh([one.x, one.y, one.w, one.h]),
        attributes: one.attributes,
        relations: one.relations.map(({ name, object }) => ({ name, object })),
      })),
    }
  }
}

/** The questions file of tasks with one picture each. */
export function writeGqaQuestions(tasks: readonly Task[]): string {
  const entries = tasks.map((task) => {
    const { id, instruction, answer, scenes, type, ...rest } = task
    const [scene] = scenes
    const entry = {
      imageId: imageId(scene?.image ?? ''),
      question: instruction,
      ...(answer === undefined ? {} : { answer, fullAnswer: answer }),
      isBalanced: true,
      types: { structural: type, semantic: rest.family, detailed: rest.wording },
      semantic: rest.program
        .split('\n')
        .map((line) => ({ operation: line.split('=')[1]?.split('(')[0], argument: line })),
      pupil: rest,
    }
    return [id, entry] as const
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/** The scene graphs of tasks; what GQA has no place for (masks, recipe) under `pupil`. */
export function writeGqaScenes(tasks: readonly Task[], lexicon: Lexicon): string {
  const scenes = new Map(
    tasks.flatMap((task) => task.scenes.map((one) => [one.image, one] as const)),
  )
  const entries = [...scenes.values()].map((scene) => {
    const { graph } = scene
    const objects = graph.objects.map((one) => [one.id, gqaObject(scene, one, lexicon)] as const)
    return [
      imageId(scene.image),
      {
        width: graph.width,
        height: graph.height,
        objects: Object.fromEntries(objects),
        pupil: scene,
      },
    ] as const
  })
  return JSON.stringify(Object.fromEntries(entries))
}

function gqaObject(
  { graph }: TaskScene,
  one: TaskScene['graph']['objects'][number],
  lexicon: Lexicon,
): Readonly<Record<string, unknown>> {
  const [x1, y1, x2, y2] = one.box
  return {
    name: lexicon.concept(one.concept).label,
    ...{ x: x1, y: y1, w: x2 - x1, h: y2 - y1 },
    attributes: [one.colour, one.size].filter((word) => word !== null),
    relations: graph.relations
      .filter(({ subject }) => subject === one.id)
      .map(({ name, object }) => ({ name, object })),
  }
}

/** Tasks from both files; those of another maker have no `pupil` and are told. */
export async function readGqaTasks(questions: Chunks, scenes: Chunks): Promise<readonly Task[]> {
  const byId = new Map<string, TaskScene>()
  for await (const { imageId: id, pupil } of readGqaScenes(scenes)) {
    if (pupil !== undefined) byId.set(id, pupil as TaskScene)
  }
  const tasks: Task[] = []
  for await (const { id, imageId: image, question, answer, types, pupil } of readGqaQuestions(
    questions,
  )) {
    const scene = byId.get(image)
    if (pupil === undefined || scene === undefined) throw noTask(id)
    tasks.push({
      ...(pupil as Omit<Task, 'id'>),
      id,
      type: String(types?.['structural']),
      instruction: question,
      scenes: [scene],
      ...(answer === undefined ? {} : { answer }),
    })
  }
  return tasks
}

/** @returns the fault for a question that carries no task of ours */
export function noTask(id: string): UserFault {
  return new UserFault('E_FORMAT', `The entry ${id} carries no task of the picture world.`, {
    fields: { id },
    cure: 'Read files of other makers with the plain reader of the format.',
  })
}

/** The name of a picture without its ending, as GQA refers to it. */
function imageId(file: string): string {
  return file.replace(/\.png$/, '')
}
