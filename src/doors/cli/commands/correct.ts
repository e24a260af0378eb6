import { UserFault } from '../../../base/index.ts'
import type { CorrectionRequest } from '../../../app/index.ts'
import type { CommandInput } from '../command.ts'
import { jobDocument, workedOff, workOff } from '../job-text.ts'
import { effectText, lessonLine } from '../lesson-text.ts'
import { withPupil } from '../open.ts'
import { readTextFile } from '../perform.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

type Box = readonly [number, number, number, number]

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [name = ''] = input.args
  const correction = await readCorrection(input)
  return withPupil(input, async (pupil) => {
    const made = await pupil.learning.correct(name, correction, {
      ...{ preview: options.preview === true, insist: options.insist === true },
      ...(io.signal === undefined ? {} : { signal: io.signal }),
    })
    const isTaught = options.teach === true && made.lesson?.status === 'applied'
    if (global.json) {
      const worked = isTaught ? await workedOff(input, pupil) : undefined
      const { verdict, ...rest } = made
      const blames = verdict?.blames.map(({ expected: _, ...blame }) => blame)
      writeJson(io, {
        ...{ ...rest, ...(verdict && { verdict: { by: verdict.by, blames } }) },
        ...(worked && { jobs: worked.jobs.map(jobDocument) }),
      })
      return worked?.code ?? 0
    }
    const paint = paintFor(io.stdout, io, global.color)
    const lines = [`Kept as ${made.feedback.id}.`]
    const blame = made.verdict?.blames[0]
    if (blame !== undefined) {
      const where =
        blame.step === undefined ? blame.location : `step ${blame.step + 1}, ${blame.tool}`
      lines.push(`To blame: ${where} (${Math.round(blame.confidence * 100)} %). ${blame.reason}`)
    }
    if (made.note !== undefined) lines.push(made.note)
    if (made.nothing !== undefined) lines.push(`Nothing was learnt: ${made.nothing}`)
    if (made.lesson !== undefined) {
      if (options.preview === true)
        lines.push(paint.yellow('Nothing has changed yet. It would be:'))
      lines.push(lessonLine(made.lesson, paint), ...effectText(made.lesson))
    }
    io.stdout.write(`${lines.join('\n')}\n`)
    return isTaught ? workOff(input, pupil) : 0
  })
}

async function readCorrection(input: CommandInput): Promise<CorrectionRequest> {
  const { options } = input
  const text = (key: string): string | undefined =>
    typeof options[key] === 'string' ? options[key] : undefined
  const why = text('why')
  const reasons = 'not-there wrong-thing wrong-place misread-text wrong-fact bad-plan bad-photo'
  if (why !== undefined && !reasons.split(' ').includes(why)) {
    throw new UserFault(
      'E_USAGE',
      `Expected one of ${reasons.replaceAll(' ', ', ')} for --why but got "${why}".`,
    )
  }
  const boxes = boxesOf(text('box'))
  const region = boxesOf(text('region'))?.[0]
  const program = text('program')
  const rejected = options.notThere === true || why === 'not-there'
  const expected = {
    ...(text('answer') === undefined ? {} : { answer: text('answer') as string }),
    ...(text('label') === undefined ? {} : { label: text('label') as string }),
    ...(boxes === undefined ? {} : { boxes }),
    ...(text('plan') === undefined ? {} : { plan: text('plan') as string }),
    ...(text('tool') === undefined ? {} : { plan: text('tool') as string }),
    ...(program === undefined ? {} : { program: await readTextFile(input, program) }),
    ...(rejected ? { rejected: true as const } : {}),
  }
  if (Object.keys(expected).length === 0 && text('comment') === undefined) {
    throw new UserFault('E_USAGE', 'Nothing says what is right.', {
      cure: 'Give --answer, --label, --box, --not-there, --plan, --program or --comment.',
    })
  }
  return {
    target: targetOf(input, expected, region),
    expected,
    scope: options.onlyThis === true ? 'this' : 'teach',
    ...(why === undefined ? {} : { reason: why as NonNullable<CorrectionRequest['reason']> }),
    ...(text('comment') === undefined ? {} : { comment: text('comment') as string }),
  }
}

function targetOf(
  { options }: CommandInput,
  expected: CorrectionRequest['expected'],
  region: Box | undefined,
): CorrectionRequest['target'] {
  const step = options.step as number | undefined
  const index = Math.max(0, (step ?? 1) - 1)
  if (region !== undefined) return { kind: 'region', index, picture: '', box: region }
  if (step !== undefined) return { kind: 'step', index }
  if (expected.program !== undefined) return { kind: 'program' }
  if (expected.plan !== undefined) return { kind: 'plan' }
  if (expected.answer !== undefined || expected.label === undefined) return { kind: 'answer' }
  throw new UserFault('E_USAGE', 'Which step is meant?', {
    cure: 'Add --step N; "pupil show RUN" lists the steps.',
  })
}

/** `10,20,110,220`, several joined by semicolons. */
function boxesOf(text: string | undefined): readonly Box[] | undefined {
  if (text === undefined) return undefined
  return text.split(';').map((one) => {
    const sides = one.split(',').map(Number)
    const [x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN] = sides
    if (sides.length !== 4 || !sides.every(Number.isFinite) || x2 <= x1 || y2 <= y1) {
      throw new UserFault('E_USAGE', `Expected a box such as 10,20,110,220 but got "${one}".`, {
        cure: 'Left, top, right, bottom in pixels of the picture that the step saw.',
      })
    }
    return [x1, y1, x2, y2] as const
  })
}
