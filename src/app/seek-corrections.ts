import { correctDecision, sameQuestion } from '../agents/index.ts'
import type { Run, SeekCallStep, SeekDecideStep, SeekPlanStep, SeekStep } from '../agents/index.ts'
import { UserFault } from '../base/index.ts'
import type { Json } from '../base/index.ts'
import { answerField, answerSubject } from '../learning/index.ts'
import type { Corrected, CorrectOptions } from '../learning/index.ts'
import { NO_PARTS } from '../memory/index.ts'
import type { DecisionBook, Feedback, Label, Learnt, Lesson } from '../memory/index.ts'
import { normaliseName, sourceFault } from '../tools/index.ts'
import type { SourceProvider } from '../tools/index.ts'
import type { CorrectionRequest, LearningParts } from './learning-desk.ts'
import { teacherOf } from './learning-parts.ts'

/** Lessons of searches; `pupil lesson undo` takes each back. */
const FACT = 'seek fact'
const SOURCE = 'seek source'
const NAMING: ReadonlySet<string> = new Set(['vqa', 'image_search', 'detect', 'caption'])

/** What came of the correction of a search. */
export type SeekCorrected = Corrected & { readonly note?: string }

interface Correcting {
  readonly run: Run
  readonly feedback: Feedback
  readonly parts: LearningParts
  readonly book: DecisionBook
  readonly options: CorrectOptions
}

/**
 * A correction of a search, stored before anything else; then the right kind of lesson: a name that a tool
 * should have given becomes an example of it, another choice of tool a recorded decision, a right answer a fact
 * of the user's own, and a wrong find marks its source.
 *
 * A step is a call of the run, counted from 0 among its calls.
 *
 * @throws UserFault `E_CORRECTION` for a step that is not there, or nothing that could be learnt
 * @source avis §10 (corrections join the closed loop)
 */
export async function correctSearch(
  run: Run,
  given: CorrectionRequest,
  parts: LearningParts & { readonly decisions: () => Promise<DecisionBook> },
  options: CorrectOptions = {},
): Promise<SeekCorrected> {
  const { clock, ids, space } = parts
  const learnt = await parts.learnt()
  const stored: Feedback = {
    ...{ author: space, scope: 'teach', ...given },
    ...{ id: ids.next('correction'), run: run.id, at: clock.now() },
  }
  checkStep(run, stored)
  const { feedback, retired } = await learnt.record(stored, labelsFor(stored, run))
  const base = { feedback, retired }
  if (feedback.scope === 'this') return { ...base, nothing: 'Only this answer was set right.' }
  const book = await parts.decisions()
  const made = await lessonFor({ run, feedback, parts, book, options }, learnt)
  return { ...base, ...made }
}

function lessonFor(
  work: Correcting,
  learnt: Learnt,
): Promise<Omit<SeekCorrected, 'feedback' | 'retired'>> {
  const { expected, target } = work.feedback
  if (target.kind === 'answer' && expected.answer !== undefined) {
    return keepFact(work, learnt, expected.answer)
  }
  if (target.kind === 'step' || target.kind === 'region') {
    if (expected.plan !== undefined) return keepDecision(work, target.index, expected.plan)
    const name = expected.label ?? expected.answer
    if (name !== undefined) return teachName(work, target.index, name, true)
    if (expected.rejected === true) return rejectFound(work, learnt, target.index)
  }
  throw new UserFault('E_CORRECTION', 'From this nothing can be learnt about a search.', {
    cure: 'Give --answer; or --step N with --label, --tool or --not-there.',
  })
}

/** The right answer: a fact about what was seen, told before every source until it is taken back. */
async function keepFact(
  { run, feedback, parts, options }: Correcting,
  learnt: Learnt,
  answer: string,
): Promise<Omit<SeekCorrected, 'feedback' | 'retired'>> {
  const plan = stepsOf(run).find((step): step is SeekPlanStep => step.kind === 'plan')
  const reply = stepsOf(run).findLast((step) => step.kind === 'reply')
  const entities =
    (reply !== undefined && 'outcome' in reply && reply.outcome.answer?.bindings) || []
  const question = questionOf(plan, run.task.instruction)
  const fact: Json = { kind: 'fact', entities: [...entities], question, answer }
  const concept = entities.length === 0 ? null : entities.join(' and ')
  const lesson = makeLesson(feedback, parts, { tool: FACT, concept, verdict: fact })
  if (options.preview !== true) await learnt.add(lesson, NO_PARTS)
  const about = concept === null ? '' : ` about ${concept}`
  return { lesson, note: `Your answer${about} counts before every source from now on.` }
}

/** The knowledge question, `#` for what was seen. */
function questionOf(plan: SeekPlanStep | undefined, instruction: string): string {
  if (plan === undefined) return instruction
  return plan.decomposition.knowledge
    .map((part) => (typeof part === 'string' ? part : '#'))
    .join('')
    .trim()
}

async function keepDecision(
  { run, feedback, book, options }: Correcting,
  index: number,
  tool: string,
): Promise<Omit<SeekCorrected, 'feedback' | 'retired'>> {
  const { step, decide } = callAt(run, index)
  const allowed = decide === undefined ? [] : decide.allowed
  if (!allowed.includes(tool)) {
    throw new UserFault('E_CORRECTION', `${tool} was not among the choices there.`, {
      fields: { tool, allowed },
      cure: `Possible were ${allowed.join(', ')}.`,
    })
  }
  if (options.preview === true) return { note: `Searches like this would choose ${tool} there.` }
  const { comment, at } = feedback
  // Two records: the choice that was right, and that the one which was made led to nothing.
  await correctDecision(book, run, step - 1, { verdict: 'uninformative' }, { consent: true, at })
  await correctDecision(
    book,
    run,
    step - 1,
    { tool, verdict: 'informative', ...(comment === undefined ? {} : { rationale: comment }) },
    { consent: true, at },
  )
  return { note: `Searches like this will rather choose ${tool} there.` }
}

/** The region that a tool looked at, as an example of the name it should (or should not) have given. */
async function teachName(
  { run, feedback, parts, options }: Correcting,
  index: number,
  name: string,
  positive: boolean,
): Promise<Omit<SeekCorrected, 'feedback' | 'retired'>> {
  const { call } = callAt(run, index)
  const shown = Object.values(run.task.inputs)[0]
  if (shown === undefined || !NAMING.has(call.tool)) {
    throw new UserFault('E_CORRECTION', `${call.tool} names nothing that it sees.`, {
      cure: `Give the step of ${[...NAMING].join(', ')}.`,
    })
  }
  const image = await (await parts.library()).load(shown)
  const box = feedback.target.kind === 'region' ? feedback.target.box : regionOf(call)
  const teacher = await teacherOf(parts)
  const concept = normaliseName(name)
  const verdict: Json = { kind: 'name', run: run.id, step: index, tool: call.tool }
  const preview = await teacher.preview(
    {
      ...{ tool: call.tool === 'vqa' ? 'VQA' : 'CLASSIFY', concept, author: feedback.author },
      examples: [
        { kind: 'thing', concept, positive, image, ...(box === undefined ? {} : { box }) },
      ],
      ...{ verdict, feedback },
    },
    options,
  )
  const { insist = false } = options
  const lesson =
    options.preview === true ? preview.lesson : await teacher.apply(preview, { insist })
  const note = positive
    ? `What looks like this will be called ${concept}.`
    : `This will not be called ${concept} again.`
  return { lesson, note }
}

/** A find that is wrong: a name that was seen wrongly, or a source that is not to be believed. */
async function rejectFound(
  work: Correcting,
  learnt: Learnt,
  index: number,
): Promise<Omit<SeekCorrected, 'feedback' | 'retired'>> {
  const { run, feedback, parts, options } = work
  const { call, reading } = callAt(run, index)
  const said = reading?.candidates[0]?.value
  if (NAMING.has(call.tool) && call.tool !== 'image_search') {
    if (said === undefined) {
      throw new UserFault('E_CORRECTION', `${call.tool} named nothing there.`, {
        cure: 'Give the step that named it.',
      })
    }
    return teachName(work, index, said, false)
  }
  const cited = reading?.claims[0]?.source ?? call.sought.entries[0]?.source
  if (cited === undefined) {
    throw new UserFault('E_CORRECTION', 'Nothing came back there that could be marked.', {
      cure: 'Give the step of a search that found something.',
    })
  }
  const source = sourceKey(cited)
  const verdict: Json = { kind: 'bad source', source, quote: reading?.claims[0]?.quote ?? '' }
  const lesson = makeLesson(feedback, parts, { tool: SOURCE, concept: source, verdict })
  if (options.preview !== true) await learnt.add(lesson, NO_PARTS)
  return { lesson, note: `${source} is not believed any more.` }
}

/** How a source is known: by its address without the part after "?", else by provider and title. */
export function sourceKey(source: {
  readonly url?: string
  readonly provider: string
  readonly title?: string
}): string {
  const { url, provider, title = '' } = source
  if (url !== undefined && URL.canParse(url)) {
    const { host, pathname, protocol } = new URL(url)
    return `${host === '' ? protocol : host}${pathname}`
  }
  return `${provider}: ${title}`
}

/** What people said about searches: facts of their own, and sources they do not believe. */
export interface SearchLessons {
  readonly facts: readonly {
    readonly entities: readonly string[]
    readonly question: string
    readonly answer: string
    readonly lesson: string
  }[]
  readonly badSources: ReadonlySet<string>
}

export async function searchLessons(learnt: Learnt): Promise<SearchLessons> {
  const applied = await learnt.lessons({ status: 'applied' })
  const verdicts = applied.map(({ id, tool, verdict }) => ({
    ...{ id, tool, verdict: verdict as Readonly<Record<string, never>> },
  }))
  return {
    facts: verdicts
      .filter(({ tool }) => tool === FACT)
      .map(({ id, verdict }) => ({ ...(verdict as unknown as Fact), lesson: id })),
    badSources: new Set(
      verdicts
        .filter(({ tool }) => tool === SOURCE)
        .map(({ verdict }) => String(verdict['source'])),
    ),
  }
}

interface Fact {
  readonly entities: readonly string[]
  readonly question: string
  readonly answer: string
}

/** The user's own facts as a source that outranks all others; empty for what nobody said. */
export function ownFacts(lessons: () => Promise<SearchLessons>): SourceProvider {
  return {
    ...{ id: 'yours', version: '1', tool: 'kb_lookup', licence: 'your own correction' },
    ...{ needsNetwork: false, needsKey: false, needsPublicUrl: false, sends: 'none', price: 0 },
    ...{ mayStore: true, timeoutMs: 5_000, byName: true, probe: async () => null },
    call: async ({ q, subject = '' }) => {
      if (q === undefined) throw sourceFault('yours', 'config', 'there is no question')
      const { facts } = await lessons()
      const names = subject === '' ? [] : subject.split(' and ').map(normaliseName)
      const known = facts.filter(
        ({ entities, question }) =>
          entities.map(normaliseName).join('+') === names.join('+') &&
          sameQuestion(question.replaceAll('#', entities.join(' and ')), q),
      )
      return {
        entries: known.map(({ answer, entities, question }) => ({
          ...{ kind: 'yours', title: entities.join(' and '), text: answer, snippet: question },
        })),
      }
    },
  }
}

/** A source without what people marked as wrong. */
export function withoutBad(
  provider: SourceProvider,
  lessons: () => Promise<SearchLessons>,
): SourceProvider {
  return {
    ...provider,
    call: async (args, options) => {
      const output = await provider.call(args, options)
      const { badSources } = await lessons()
      if (badSources.size === 0 || output.entries === undefined) return output
      const kept = output.entries.filter(
        (entry) => !badSources.has(sourceKey({ provider: provider.id, ...entry })),
      )
      return { ...output, entries: kept, dropped: output.entries.length - kept.length }
    },
  }
}

function makeLesson(
  feedback: Feedback,
  { ids, clock }: LearningParts,
  what: Pick<Lesson, 'tool' | 'concept' | 'verdict'>,
): Lesson {
  return {
    ...{ id: ids.next('lesson'), version: 1, status: 'applied', ...what },
    ...{ feedback: feedback.id, source: feedback.run, author: feedback.author },
    ...{ examples: [], prompts: [], demonstrations: [], validation: {}, effect: {} },
    createdAt: clock.now(),
  }
}

const stepsOf = (run: Run): readonly SeekStep[] => run.steps as readonly SeekStep[] // its agent says so

function callAt(run: Run, index: number) {
  const steps = stepsOf(run)
  const places = steps.flatMap((step, i) => (step.kind === 'call' ? [i] : []))
  const step = places[index]
  const call = step === undefined ? undefined : (steps[step] as SeekCallStep | undefined)
  if (step === undefined || call === undefined) {
    throw new UserFault('E_CORRECTION', `The search has no step ${index + 1}.`, {
      fields: { step: index + 1, steps: places.length },
      cure: `It has ${places.length}; "pupil show ${run.id}" lists them.`,
    })
  }
  const before = steps[step - 1]
  const reading = steps.slice(step + 1).find((one) => one.kind === 'reason' && one.call === step)
  return {
    ...{ step, call },
    decide: before?.kind === 'decide' ? (before as SeekDecideStep) : undefined,
    reading: reading?.kind === 'reason' ? reading : undefined,
  }
}

function checkStep(run: Run, { target }: Feedback): void {
  if (target.kind === 'step' || target.kind === 'region') callAt(run, target.index)
}

function regionOf(call: SeekCallStep): readonly [number, number, number, number] | undefined {
  const region = call.args.find(({ name }) => name === 'region')?.value
  const sides = Array.isArray(region) ? region.map(Number) : []
  const [x1, y1, x2, y2] = sides
  return sides.length === 4 && sides.every(Number.isFinite)
    ? [x1 as number, y1 as number, x2 as number, y2 as number]
    : undefined
}

/** The human labels in it; they outlive the run and every re-run (product R1). */
function labelsFor(
  { id, target, expected, author, at, run: name }: Feedback,
  run: Run,
): readonly Label[] {
  const shared = { id: `${id}/label`, author, at, run: name }
  if (target.kind === 'answer' && expected.answer !== undefined) {
    const about = { subject: answerSubject(run), field: answerField(run) }
    return [{ ...shared, ...about, value: expected.answer, tombstone: false }]
  }
  if (target.kind !== 'step' && target.kind !== 'region') return []
  const { call, reading } = callAt(run, target.index)
  const picture = Object.values(run.task.inputs)[0]?.hash ?? ''
  const place = target.kind === 'region' ? target.box : regionOf(call)
  const value = expected.label ?? expected.answer ?? expected.plan ?? reading?.candidates[0]?.value
  const field =
    expected.plan === undefined ? (place?.join(',') ?? call.tool) : `choice ${target.index}`
  return [
    {
      ...{ ...shared, subject: `picture:${picture}`, field },
      ...{ value: value ?? null, tombstone: expected.rejected === true },
    },
  ]
}
