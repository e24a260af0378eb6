import { expected } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { Box, Image } from '../image/index.ts'
import type { Lesson } from '../memory/index.ts'
import { normaliseName } from '../tools/index.ts'
import type { ExampleDraft } from '../learning/index.ts'
import type { LearningParts, TaughtLesson, TeachOptions, TeachRequest } from './learning-desk.ts'
import { teacherOf } from './learning-parts.ts'
import type { PictureInput } from './picture-library.ts'

/** Longer side of pictures that are learnt from: what programs see (open family). */
const MAX_SIDE = 640

const TEACHABLE = ['LOC', 'SELECT', 'CLASSIFY', 'VQA', 'SEG']

/** Teaches a concept from pictures, without a failed run; with `preview` only shows what would be learnt. */
export async function teach(
  { tool, concept, pictures, boxes = [], negative = false }: TeachRequest,
  parts: LearningParts,
  { insist = false, preview: onlyShow = false, without = [], signal }: TeachOptions = {},
): Promise<TaughtLesson> {
  if (!TEACHABLE.includes(tool)) throw expected(TEACHABLE.join(', '), 'tool', tool)
  if (pictures.length === 0) throw expected('at least one picture', 'pictures', pictures)
  if (normaliseName(concept) === '') throw expected('a name', 'concept', concept)
  const examples: ExampleDraft[] = []
  for (const [i, picture] of pictures.entries()) {
    const { image, scale } = await readPicture(picture, parts, signal)
    const box = boxes[i]
    examples.push({
      ...{ kind: 'thing', concept: normaliseName(concept), positive: !negative, image },
      ...(box === undefined
        ? {}
        : { box: box.map((side) => Math.round(side * scale)) as unknown as Box }),
    })
  }
  const teacher = await teacherOf(parts)
  const lecture = { tool, concept: normaliseName(concept), examples, author: parts.space }
  const preview = await teacher.preview({ ...lecture, without, verdict: null }, { signal })
  const { examples: shown, lesson } = preview
  return { lesson: onlyShow ? lesson : await teacher.apply(preview, { insist }), examples: shown }
}

/** Teaches a person's face; recognising people must be turned on. */
export async function teachFace(
  name: string,
  picture: PictureInput,
  parts: LearningParts,
  options: Abortable & { readonly box?: Box; readonly negative?: boolean } = {},
): Promise<Lesson> {
  const { box, negative = false, signal } = options
  if (name.trim() === '') throw expected('a name', 'name', name)
  const { image, scale } = await readPicture(picture, parts, signal)
  const example: ExampleDraft = {
    ...{ kind: 'face', concept: name.trim(), positive: !negative, image },
    ...(box === undefined
      ? {}
      : { box: box.map((side) => Math.round(side * scale)) as unknown as Box }),
  }
  const teacher = await teacherOf(parts)
  const lecture = { tool: 'VQA', concept: name.trim(), examples: [example], author: parts.space }
  const preview = await teacher.preview({ ...lecture, verdict: null }, { signal })
  return teacher.apply(preview)
}

async function readPicture(
  picture: PictureInput,
  parts: LearningParts,
  signal: AbortSignal | undefined,
): Promise<{ readonly image: Image; readonly scale: number }> {
  const library = await parts.library()
  const { image } = await library.read(picture, { maxSide: MAX_SIDE, signal })
  await library.keep(image)
  return { image, scale: 1 / image.frame.scale[0] }
}
