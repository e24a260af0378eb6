import { expected } from '../base/index.ts'

/** A question of SEED-Bench: one of four choices. */
export interface SeedQuestion {
  readonly id: string
  readonly answer: string
  readonly type: number
  readonly video: boolean
  readonly question: string
  readonly choices: readonly string[]
  /** File of the picture (`data_id`); none for videos. */
  readonly image?: string
}

export interface SeedAnnotations {
  readonly questions: readonly SeedQuestion[]
  readonly types: Readonly<Record<string, number>>
}

/** The annotation file. @throws UserFault `E_ARGUMENT` naming the field */
export function readSeed(json: unknown): SeedAnnotations {
  const { questions, question_type: types } = (json ?? {}) as {
    readonly questions?: unknown
    readonly question_type?: unknown
  }
  if (!Array.isArray(questions)) throw expected('a list', 'questions', questions)
  if (typeof types !== 'object' || types === null)
    throw expected('an object', 'question_type', types)
  return {
    types: types as Readonly<Record<string, number>>,
    questions: questions.map((row: Readonly<Record<string, unknown>>) => ({
      ...{ id: String(row['question_id']), answer: String(row['answer']) },
      ...{ type: Number(row['question_type_id']), video: row['data_type'] === 'video' },
      question: typeof row['question'] === 'string' ? row['question'] : '',
      choices: ['a', 'b', 'c', 'd'].map((letter) => String(row[`choice_${letter}`] ?? '')),
      ...(typeof row['data_id'] === 'string' && row['data_type'] !== 'video'
        ? { image: row['data_id'] }
        : {}),
    })),
  }
}

/** The question as it is put: the choices with their letters, and how to answer. */
export function seedPrompt({ question, choices }: SeedQuestion): string {
  const lines = choices.map((choice, i) => `${'ABCD'[i] ?? ''}. ${choice}`)
  return [
    question,
    ...lines,
    "Answer with the option's letter from the given choices directly.",
  ].join('\n')
}

export interface SeedScore {
  /** By name of the type, in percent; a type of which nothing is right is 0. */
  readonly byType: Readonly<Record<string, number>>
  readonly total: number
  readonly image: number
  readonly video: number
  readonly answered: number
  readonly questions: number
}

/**
 * The share of letters that are exactly right. The official scoring ranks the choices by likelihood instead: the
 * two are not comparable (llava-plus §8).
 *
 * @param options.missing  `wrong` counts what was not answered; `left-out` is what the published script does
 */
export function scoreSeed(
  { questions, types }: SeedAnnotations,
  answers: ReadonlyMap<string, string>,
  { missing = 'wrong' }: { readonly missing?: 'wrong' | 'left-out' } = {},
): SeedScore {
  const counted = questions.filter(({ id }) => missing === 'wrong' || answers.has(id))
  const share = (list: readonly SeedQuestion[]): number =>
    list.length === 0
      ? 0
      : (100 * list.filter(({ id, answer }) => answers.get(id) === answer).length) / list.length
  return {
    byType: Object.fromEntries(
      Object.entries(types).map(([name, id]) => [
        name,
        share(counted.filter((one) => one.type === id)),
      ]),
    ),
    total: share(counted),
    image: share(counted.filter(({ video }) => !video)),
    video: share(counted.filter(({ video }) => video)),
    answered: questions.filter(({ id }) => answers.has(id)).length,
    questions: questions.length,
  }
}

/** The figures as the published script prints them (golden `seed_convert`). */
export function printSeed({ byType, total, image, video }: SeedScore): string {
  const lines = Object.entries(byType).map(([name, share]) => `${name}: ${share.toFixed(2)}%`)
  const rest = [`Total accuracy: ${total.toFixed(2)}%`, `image accuracy: ${image.toFixed(2)}%`]
  return `${[...lines, ...rest, `video accuracy: ${video.toFixed(2)}%`].join('\n')}\n`
}

/** The file that the leaderboard takes: a line for each answer. */
export function seedUpload(answers: ReadonlyMap<string, string>): string {
  return [...answers]
    .map(
      ([id, text]) =>
        `{"question_id": ${JSON.stringify(id)}, "prediction": ${JSON.stringify(text)}}\n`,
    )
    .join('')
}
