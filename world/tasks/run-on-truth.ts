import { noProgress, seededRandom } from '../../src/base/index.ts'
import { createImage } from '../../src/image/index.ts'
import type { Image } from '../../src/image/index.ts'
import { answerForm, FAMILIES, parse, runProgram } from '../../src/program/index.ts'
import type { Answer, Family, ProgramRun } from '../../src/program/index.ts'
import { createToolbox } from '../../src/tools/index.ts'
import type { Backends } from '../../src/tools/index.ts'
import type { Library } from './library.ts'
import { readPhrase } from './phrase.ts'
import type { Task, TaskFamily } from './task.ts'
import { truthBackends } from './truth-backends.ts'
import type { KnownScene } from './truth-backends.ts'

const FAMILY: Readonly<Record<TaskFamily, Family>> = {
  gqa: FAMILIES.gqa,
  nlvr: FAMILIES.nlvr,
  imgedit: FAMILIES.imgedit,
  tagging: FAMILIES.tagging,
  knowledge: FAMILIES.open,
  dialogue: FAMILIES.open,
}

/** The family of the language that a family of tasks is carried out in. */
export function languageFamily(family: TaskFamily): Family {
  return FAMILY[family]
}

/** Runs the reference program of a task with tools that read the truth instead of looking. */
export async function runOnTruth(
  task: Task,
  library: Library,
): Promise<{ readonly run: ProgramRun; readonly answer: Answer | undefined }> {
  const { inputs, backends } = taskOnTruth(task, library)
  const toolbox = createToolbox({ backends })
  const family = languageFamily(task.family)
  let id = 0
  const run = await runProgram(parse(task.program), {
    inputs,
    family,
    signatures: toolbox.signatures,
    random: seededRandom(0),
    call: (tool, args, context) =>
      toolbox.call(tool, args, {
        family: context.family,
        random: context.random,
        progress: noProgress,
        newId: () => `t${id++}`,
      }),
  })
  const { outcome } = run
  return { run, answer: outcome.status === 'done' ? answerForm(family, outcome.value) : undefined }
}

/** The pictures of a task under the names that its family gives them. */
export function taskInputs(task: Task, library: Library): Readonly<Record<string, Image>> {
  return Object.fromEntries(
    task.scenes.map(({ recipe }, i) => {
      const raw = library.paint(recipe)
      return [inputName(task, i), createImage(raw.rgb, raw.width, raw.height)]
    }),
  )
}

/** The pictures of a task, and tools that read the truth of them. */
export function taskOnTruth(
  task: Task,
  library: Library,
): { readonly inputs: Readonly<Record<string, Image>>; readonly backends: Backends } {
  const { lexicon } = library
  const drawingOf = (prompt: string): Library['sprites'][number] | undefined => {
    const concept = readPhrase(lexicon, prompt)?.what.concept
    return library.sprites.find((one) => one.concept === concept)
  }
  const scenes = task.scenes.map((one): KnownScene => {
    const raw = library.paint(one.recipe)
    const image = createImage(raw.rgb, raw.width, raw.height)
    return { graph: one.graph, image, fillings: { raw, drawingOf } }
  })
  const inputs = scenes.map(({ image }, i) => [inputName(task, i), image] as const)
  return { inputs: Object.fromEntries(inputs), backends: truthBackends(lexicon, scenes) }
}

function inputName({ family }: Task, i: number): string {
  return family === 'nlvr' ? (['LEFT', 'RIGHT'][i] ?? '') : 'IMAGE'
}
