import { noProgress, seededRandom } from '../../src/base/index.ts'
import { createImage } from '../../src/image/index.ts'
import { answerForm, FAMILIES, parse, runProgram } from '../../src/program/index.ts'
import type { Answer, ProgramRun } from '../../src/program/index.ts'
import { createToolbox } from '../../src/tools/index.ts'
import type { Library } from './library.ts'
import { readPhrase } from './phrase.ts'
import type { Task } from './task.ts'
import { truthBackends } from './truth-backends.ts'
import type { KnownScene } from './truth-backends.ts'

const FAMILY = {
  gqa: FAMILIES.gqa,
  nlvr: FAMILIES.nlvr,
  imgedit: FAMILIES.imgedit,
  tagging: FAMILIES.tagging,
  knowledge: FAMILIES.open,
  dialogue: FAMILIES.open,
} as const

/** Runs the reference program of a task with tools that read the truth instead of looking. */
export async function runOnTruth(
  task: Task,
  library: Library,
): Promise<{ readonly run: ProgramRun; readonly answer: Answer | undefined }> {
  const { lexicon } = library
  const scenes = task.scenes.map((one): KnownScene => {
    const raw = library.paint(one.recipe)
    const image = createImage(raw.rgb, raw.width, raw.height)
    return { graph: one.graph, image, fillings: { raw, drawingOf: (prompt) => drawing(prompt) } }
  })
  const drawing = (prompt: string): Library['sprites'][number] | undefined => {
    const concept = readPhrase(lexicon, prompt)?.what.concept
    return library.sprites.find((one) => one.concept === concept)
  }
  const toolbox = createToolbox({ backends: truthBackends(lexicon, scenes) })
  const family = FAMILY[task.family]
  let id = 0
  const run = await runProgram(parse(task.program), {
    inputs: Object.fromEntries(
      scenes.map(({ image }, i) => [task.family === 'nlvr' ? SIDES[i] : 'IMAGE', image]),
    ),
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

const SIDES = ['LEFT', 'RIGHT']
