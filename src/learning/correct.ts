import type { Run } from '../agents/index.ts'
import type { Abortable, Clock, Ids } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Feedback, Learnt, Lesson } from '../memory/index.ts'
import type { Signature } from '../program/index.ts'
import type { Blame, Reflector, Verdict } from '../reflection/index.ts'
import { conceptOf, sameAnswer } from '../reflection/index.ts'
import { attemptOf, callsOf } from './attempt-of.ts'
import { demonstrate } from './demonstrate.ts'
import type { DemonstrationParts } from './demonstrate.ts'
import { draftFromBlame, draftFromFeedback, pictureOf } from './draft-from.ts'
import { answerOf } from './effect.ts'
import { labelsOf } from './labels-of.ts'
import type { Lecture, Preview, ShownExample, Teacher } from './teacher.ts'
import { verdictJson } from './verdict-json.ts'

export interface CorrectorParts {
  readonly learnt: Learnt
  readonly teacher: Teacher
  readonly signatures: readonly Signature[]
  readonly clock: Clock
  readonly ids: Ids
  /** Tried in order until one blames a step that something can be learnt from. */
  readonly reflectors: readonly Reflector[]
  readonly demonstration: DemonstrationParts
}

/** A correction as it is given; id, time and what it supersedes are added. */
export type Correction = Pick<
  Feedback,
  'target' | 'expected' | 'reason' | 'comment' | 'author' | 'scope'
>

export interface CorrectOptions extends Abortable {
  /** Only show what would be learnt; the correction itself is stored all the same. */
  readonly preview?: boolean
  /** Apply the lesson whatever speaks against it. */
  readonly insist?: boolean
  /** Examples to leave out, by their places in `Corrected.examples`. */
  readonly without?: readonly number[]
}

/** What came of a correction. */
export interface Corrected {
  readonly feedback: Feedback
  /** Lessons of the earlier correction of the same thing, which act no longer. */
  readonly retired: readonly string[]
  readonly verdict?: Verdict
  /** What was, or with `preview` would be, learnt. */
  readonly lesson?: Lesson
  /** What it was, or would be, learnt from; of a lesson on a tool. */
  readonly examples?: readonly ShownExample[]
  /** Why nothing was. */
  readonly nothing?: string
}

/**
 * Takes a correction in: it is stored with its label first, before anything is computed; then whom to
 * blame is found out, examples are gathered, and the lesson is validated and applied or kept out.
 *
 * @throws UserFault `E_CORRECTION` for a step that the run does not have
 */
export async function correct(
  run: Run,
  correction: Correction,
  parts: CorrectorParts,
  options: CorrectOptions = {},
): Promise<Corrected> {
  checkTarget(run, correction)
  const { learnt, ids, clock } = parts
  const given: Feedback = {
    ...correction,
    target: placed(correction.target, run),
    ...{ id: ids.next('correction'), run: run.id, at: clock.now() },
  }
  const { feedback, retired } = await learnt.record(given, labelsOf(given, run))
  const stored = { feedback, retired }
  if (correction.scope === 'this') return { ...stored, nothing: 'Only this answer was set right.' }
  const { target } = feedback
  if (target.kind === 'program' || target.kind === 'plan') {
    return { ...stored, ...(await teachProgram(feedback, run, parts, options)) }
  }
  if (target.kind === 'answer') {
    return { ...stored, ...(await teachFromAnswer(feedback, run, parts, options)) }
  }
  const draft = draftFromFeedback(feedback, callsOf(run))
  if ('nothing' in draft) return { ...stored, ...draft }
  const verdict = userVerdict(feedback, run)
  const answer = await standingAnswer(run, learnt)
  const preview = await parts.teacher.preview(
    {
      ...{ ...draft, author: feedback.author, verdict: verdictJson(verdict), feedback },
      ...leaving(options),
      failed: { run, ...(answer === undefined ? {} : { answer }) },
    },
    options,
  )
  return { ...stored, verdict, ...(await settle(preview, parts, options)) }
}

type Outcome = Pick<Corrected, 'verdict' | 'lesson' | 'examples' | 'nothing'>

/** The right answer is known: each reflector is asked, and the first blame that teaches something is taken. */
async function teachFromAnswer(
  feedback: Feedback,
  run: Run,
  parts: CorrectorParts,
  options: CorrectOptions,
): Promise<Outcome> {
  const attempt = attemptOf(run, parts.signatures)
  const { answer } = feedback.expected
  if (attempt === undefined || answer === undefined) {
    return { nothing: 'What is right was not said: give --answer, or a step.' }
  }
  if (sameAnswer(answerOf(run.outcome), answer)) return { nothing: 'That is what was answered.' }
  const wish = { answer, ...(feedback.comment === undefined ? {} : { comment: feedback.comment }) }
  let verdict: Verdict | undefined
  let nothing =
    'No step was found whose other result would give the right answer: say which step it was.'
  for (const reflector of parts.reflectors) {
    const found = await reflector.reflect(attempt, wish, options)
    verdict = found.blames.length > 0 || verdict === undefined ? found : verdict
    for (const blame of found.blames.filter(isTool)) {
      const draft = draftFromBlame(blame, attempt.steps)
      if ('nothing' in draft) nothing = draft.nothing
      else {
        const lecture = { ...draft, author: feedback.author, verdict: verdictJson(found), feedback }
        const preview = await parts.teacher.preview(
          { ...lecture, ...leaving(options), failed: { run, answer } },
          options,
        )
        if (preview.effect.proof === 'right') {
          return { verdict: found, ...(await settle(preview, parts, options)) }
        }
        nothing = 'What could be learnt does not set this answer right: say which step it was.'
      }
    }
  }
  return { ...(verdict === undefined ? {} : { verdict }), nothing }
}

const isTool = ({ location }: Blame): boolean => location === 'tool'

async function teachProgram(
  feedback: Feedback,
  run: Run,
  parts: CorrectorParts,
  options: CorrectOptions,
): Promise<Outcome> {
  const made = await demonstrate(feedback, run, parts.demonstration)
  if ('nothing' in made) return made
  const kind = feedback.target.kind === 'plan' ? 'plan' : 'program'
  const verdict = userVerdict(feedback, run)
  const preview = await parts.teacher.preview(
    {
      ...{ tool: kind, concept: null, examples: [], demonstrations: made.demonstrations },
      ...{ author: feedback.author, verdict: verdictJson(verdict), feedback, failed: { run } },
    },
    options,
  )
  return { verdict, ...(await settle(preview, parts, options)) }
}

async function settle(
  preview: Preview,
  { teacher }: CorrectorParts,
  { preview: onlyShow = false, insist = false }: CorrectOptions,
): Promise<Pick<Outcome, 'lesson' | 'examples'>> {
  const { examples, lesson } = preview
  return { lesson: onlyShow ? lesson : await teacher.apply(preview, { insist }), examples }
}

function leaving({ without }: CorrectOptions): Pick<Lecture, 'without'> {
  return without === undefined ? {} : { without }
}

/** A person who names a step has blamed it: nobody else is asked. */
function userVerdict({ target, comment, reason }: Feedback, run: Run): Verdict {
  const why = comment ?? reason ?? 'A person said so.'
  if (target.kind !== 'step' && target.kind !== 'region') {
    const location = target.kind === 'plan' ? 'plan' : 'program'
    return { by: 'user', calls: [], blames: [{ location, confidence: 1, reason: why }] }
  }
  const step = callsOf(run).find(({ index }) => index === target.index)
  const place = step === undefined ? {} : { tool: step.tool, concept: conceptOf(step) }
  const blame: Blame = {
    location: 'tool',
    step: target.index,
    ...place,
    confidence: 1,
    reason: why,
  }
  return { by: 'user', calls: [], blames: [blame] }
}

/** The right answer of a run where a person gave it. */
export async function standingAnswer(
  run: Pick<Run, 'id'>,
  learnt: Learnt,
): Promise<string | undefined> {
  const all = await learnt.standing(run.id)
  return all.findLast(({ target }) => target.kind === 'answer')?.expected.answer
}

/** A region with the picture that its step saw. */
function placed(target: Feedback['target'], run: Run): Feedback['target'] {
  if (target.kind !== 'region') return target
  const step = callsOf(run).find(({ index }) => index === target.index)
  return { ...target, picture: (step && pictureOf(step)?.hash) ?? target.picture }
}

function checkTarget(run: Run, { target }: Correction): void {
  if (target.kind !== 'step' && target.kind !== 'region') return
  const calls = callsOf(run)
  if (calls.some(({ index }) => index === target.index)) return
  throw new UserFault('E_CORRECTION', `The run has no step ${target.index + 1}.`, {
    fields: { run: run.id, step: target.index + 1, steps: calls.length },
    cure: `It has ${calls.length}; "pupil show ${run.id}" lists them.`,
  })
}
