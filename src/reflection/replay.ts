import type { Abortable, Clock } from '../base/index.ts'
import type { Box, Image } from '../image/index.ts'
import { isImage, isList, isObject, parse, replay, stepsOf } from '../program/index.ts'
import type { CallStep, CallTool, Program, ProgramRun, Value } from '../program/index.ts'
import { agrees } from './agrees.ts'
import type { Attempt, Wish } from './attempt.ts'
import type { Candidate, CandidateHints } from './candidates.ts'
import { candidatesOf, faultRate, isFallible } from './candidates.ts'
import { conceptOf } from './concept-of.ts'
import { pureTools } from './pure-tools.ts'
import type { Blame, Reflector, Verdict } from './verdict.ts'
import { noVerdict } from './verdict.ts'

export interface ReplayOptions {
  /** Tools for steps whose arguments change; default those that need no model, others end the replay. */
  readonly call?: CallTool
  /** Boxes of anything in a picture, for what a detector may have missed. */
  readonly proposals?: (image: Image, options?: Abortable) => Promise<readonly Box[]>
  /**
   * What another tool says of a region showing a concept, 0..1: which of several places was missed, and which find is
   * doubtful.
   */
  readonly opinion?: (
    image: Image,
    box: Box,
    concept: string,
    options?: Abortable,
  ) => Promise<number>
  /** Replays at most; default 400. */
  readonly most?: number
  readonly clock?: Clock
}

/** A change of one or two steps after which the run comes out as wished. */
interface Explanation {
  readonly steps: readonly number[]
  /** How likely the change is, not normalised. */
  readonly weight: number
  readonly given: Readonly<Record<number, Value>>
}

/**
 * Blames by intervention: other results are put in the place of a step and the rest is replayed. A step
 * explains the fault when some other result of it leads to the wished answer; steps are weighed by how
 * often they are wrong, how likely the other result is, and how unlikely it would have led there by chance.
 * Pairs are tried where they are about as likely as any single change, or no single one explains it.
 *
 * Needs no language model. Without an expected answer nothing can be compared: the verdict is none.
 *
 * @source ours; clova §3.5 (replay check)
 */
export function replayReflector(options: ReplayOptions = {}): Reflector {
  return {
    by: 'replay',
    reflect: async (attempt, wish, { signal } = {}) => {
      if (attempt.outcome.status === 'error') return crashVerdict(attempt)
      if (wish.answer === undefined) return noVerdict('replay')
      const found = await explain(attempt, wish.answer, { ...options, signal })
      return { by: 'replay', blames: blamesOf(attempt, found), calls: [] }
    },
  }
}

/** Puts the steps that cannot explain the fault behind those that can, and confirms expected outputs. */
export async function checkByReplay(
  verdict: Verdict,
  attempt: Attempt,
  wish: Wish,
  options: ReplayOptions & Abortable = {},
): Promise<Verdict> {
  const { answer } = wish
  if (answer === undefined || attempt.outcome.status === 'error') return verdict
  if (!verdict.blames.some(({ location }) => location === 'tool')) return verdict
  const able = blamesOf(attempt, await explain(attempt, answer, options))
  const ableOf = ({ step }: Blame): Blame | undefined => able.find((one) => one.step === step)
  const confirmed = verdict.blames.map((blame): Blame => {
    const found = blame.location === 'tool' ? ableOf(blame) : undefined
    if (found?.expected === undefined || blame.expected !== undefined) {
      return found === undefined ? blame : { ...blame, confirmed: true }
    }
    return { ...blame, expected: found.expected, confirmed: true }
  })
  const isDoubtful = (blame: Blame): boolean =>
    blame.location === 'tool' && able.length > 0 && ableOf(blame) === undefined
  const first = confirmed.filter((blame) => !isDoubtful(blame))
  const doubted = confirmed
    .filter(isDoubtful)
    .map((blame) => ({ ...blame, confidence: blame.confidence / 4 }))
  const others = able.filter((one) => verdict.blames.every(({ step }) => step !== one.step))
  const blames = first.length > 0 ? [...first, ...doubted] : [...others, ...doubted]
  return { ...verdict, blames }
}

/** True when the rest of the program, with `value` at a step, comes out as wished. */
export async function leadsTo(
  attempt: Attempt,
  given: Readonly<Record<number, Value>>,
  answer: string,
  options: ReplayOptions & Abortable = {},
): Promise<boolean> {
  const world = worldOf(attempt, options)
  return world.leadsTo(given, answer)
}

interface World {
  /** The calls of the run with other results in the place of some; undefined when no replay is left. */
  readonly after: (
    given: Readonly<Record<number, Value>>,
  ) => Promise<readonly CallStep[] | undefined>
  readonly leadsTo: (given: Readonly<Record<number, Value>>, answer: string) => Promise<boolean>
  /** Replays that are left. */
  left(): number
}

function worldOf(attempt: Attempt, options: ReplayOptions & Abortable): World {
  const { call = pureTools(), most = 400, clock, signal } = options
  const program: Program = parse(attempt.program)
  // What a tool gives for the same arguments in one reflection is the same.
  const memory = new Map<string, Promise<unknown>>()
  let left = most
  const again = async (given: Readonly<Record<number, Value>>): Promise<ProgramRun | undefined> => {
    signal?.throwIfAborted()
    if (left-- <= 0) return undefined
    return replay(program, {
      ...{ inputs: attempt.inputs, signatures: attempt.signatures, family: attempt.family },
      ...{ record: attempt.steps, given },
      call: remembering(call, memory),
      ...(clock === undefined ? {} : { clock }),
      ...(signal === undefined ? {} : { signal }),
    })
  }
  return {
    left: () => left,
    after: async (given) => (await again(given))?.steps,
    leadsTo: async (given, answer) => {
      const run = await again(given)
      return run !== undefined && agrees(run.outcome, answer)
    },
  }
}

function remembering(call: CallTool, memory: Map<string, Promise<unknown>>): CallTool {
  return (tool, args, context) => {
    const key = `${context.step} ${tool} ${keyOf(args)}`
    const known = memory.get(key) as ReturnType<CallTool> | undefined
    if (known !== undefined) return known
    const made = call(tool, args, context)
    memory.set(key, made)
    made.catch(() => memory.delete(key))
    return made
  }
}

function keyOf(args: Readonly<Record<string, Value>>): string {
  return JSON.stringify(args, (_key, value: unknown) =>
    isImage(value as Value) ? [(value as Image).hash, (value as Image).frame] : value,
  )
}

async function explain(
  attempt: Attempt,
  answer: string,
  options: ReplayOptions & Abortable,
): Promise<readonly Explanation[]> {
  const world = worldOf(attempt, options)
  // Answers are compared with texts of the program, and with each other.
  const literals = [...new Set([...literalsOf(attempt.program), ...saidBy(attempt.steps)])]
  const doubt = async (step: CallStep): Promise<Doubt> => {
    const proposals = await seenBy(step, options)
    const opinion = await opinionOn(step, proposals, options)
    const hints: CandidateHints = { answer, literals, proposals, ...(opinion && { opinion }) }
    return { step, odds: odds(step), candidates: candidatesOf(step, hints) }
  }
  const doubts = await Promise.all(attempt.steps.filter(isFallible).map(doubt))
  const single: Explanation[] = []
  for (const { step, odds, candidates } of doubts) {
    for (const { value, weight } of candidates) {
      const given = { [step.index]: value }
      if (!(await world.leadsTo(given, answer))) continue
      single.push({ steps: [step.index], weight: odds * weight, given })
    }
  }
  const { pairs, bound } = await pairsInContext(doubts, world, doubt)
  const free = pairsOf(doubts).filter(({ steps }) => !bound.has(steps.join()))
  return [...single, ...(await explainByPairs([...pairs, ...free], answer, world, single))]
}

interface Doubt {
  readonly step: CallStep
  readonly odds: number
  readonly candidates: readonly Candidate[]
}

/** Results of an earlier step after which later ones are looked at anew. */
const CONTEXTS = 4

/**
 * Pairs of an earlier step and one that is asked about something else once the earlier one is changed: the later
 * step's other results are those of its call in the changed run.
 *
 * @returns bound  the pairs of steps that are so, joined by a comma
 */
async function pairsInContext(
  doubts: readonly Doubt[],
  world: World,
  doubt: (step: CallStep) => Promise<Doubt>,
): Promise<{ readonly pairs: readonly Explanation[]; readonly bound: ReadonlySet<string> }> {
  const pairs: Explanation[] = []
  const bound = new Set<string>()
  for (const [i, a] of doubts.entries()) {
    const later = doubts.slice(i + 1)
    if (later.length === 0) continue
    const likely = a.candidates.toSorted((x, y) => y.weight - x.weight).slice(0, CONTEXTS)
    for (const one of likely) {
      const steps = (await world.after({ [a.step.index]: one.value })) ?? []
      for (const { step } of later) {
        const now = steps.find(({ index, tool }) => index === step.index && tool === step.tool)
        if (now === undefined || !isFallible(now) || argsKey(now) === argsKey(step)) continue
        const b = await doubt(now)
        bound.add(`${a.step.index},${step.index}`)
        for (const two of b.candidates) pairs.push(pairOf(a, one, b, two))
      }
    }
  }
  return { pairs, bound }
}

function argsKey({ args }: CallStep): string {
  return keyOf(Object.fromEntries(args.map(({ name, value }) => [name, value])))
}

function pairsOf(doubts: readonly Doubt[]): readonly Explanation[] {
  return doubts.flatMap((a, i) =>
    doubts
      .slice(i + 1)
      .flatMap((b) =>
        a.candidates.flatMap((one) => b.candidates.map((two) => pairOf(a, one, b, two))),
      ),
  )
}

function pairOf(a: Doubt, one: Candidate, b: Doubt, two: Candidate): Explanation {
  return {
    steps: [a.step.index, b.step.index],
    weight: a.odds * one.weight * b.odds * two.weight,
    given: { [a.step.index]: one.value, [b.step.index]: two.value },
  }
}

/**
 * The likeliest pairs first: only those about as likely as the best single change that explains the fault,
 * and until the rest could hardly matter.
 */
async function explainByPairs(
  pairs: readonly Explanation[],
  answer: string,
  world: World,
  single: readonly Explanation[],
): Promise<readonly Explanation[]> {
  const least = Math.max(0, ...single.map(({ weight }) => weight)) / 5
  const found: Explanation[] = []
  const likely = pairs.filter(({ weight }) => weight > least)
  for (const pair of likely.toSorted((a, b) => b.weight - a.weight)) {
    const best = found[0]
    if (world.left() <= 0 || (best !== undefined && pair.weight < best.weight / 100)) break
    if (await world.leadsTo(pair.given, answer)) found.push(pair)
  }
  return found
}

function odds(step: CallStep): number {
  const rate = faultRate(step)
  return rate / (1 - rate)
}

async function seenBy(
  step: CallStep,
  { proposals, signal }: ReplayOptions & Abortable,
): Promise<readonly Box[]> {
  const image = pictureOf(step)
  if (proposals === undefined || image === undefined) return []
  return proposals(image, signal === undefined ? {} : { signal })
}

/** What another tool says of all regions in question, by box. */
async function opinionOn(
  step: CallStep,
  proposals: readonly Box[],
  { opinion, signal }: ReplayOptions & Abortable,
): Promise<CandidateHints['opinion']> {
  const concept = conceptOf(step)
  const image = pictureOf(step)
  const { result } = step
  if (opinion === undefined || concept === null || image === undefined) return undefined
  const found = result !== undefined && isList(result) ? result.filter(isObject) : []
  const said = new Map<string, number>()
  for (const box of [...found.map((one) => one.box), ...proposals]) {
    const options = signal === undefined ? {} : { signal }
    said.set(String(box), await opinion(image, box, concept, options))
  }
  return (box) => said.get(String(box)) ?? 0.5
}

function pictureOf(step: CallStep): Image | undefined {
  return step.args.map(({ value }) => value).find(isImage)
}

/** The steps by the share of the explanations they take part in, each with its likeliest result. */
function blamesOf(attempt: Attempt, found: readonly Explanation[]): readonly Blame[] {
  const total = found.reduce((sum, { weight }) => sum + weight, 0)
  const likeliest = found.toSorted((a, b) => b.weight - a.weight)[0]
  const byStep = new Map<number, { weight: number; best: Explanation }>()
  for (const one of found) {
    for (const step of one.steps) {
      const known = byStep.get(step)
      if (known === undefined) byStep.set(step, { weight: one.weight, best: one })
      else {
        known.weight += one.weight
        if (one.weight > known.best.weight) known.best = one
      }
    }
  }
  // Results that explain the fault together belong together.
  const bestOf = (index: number, own: Explanation): Explanation =>
    likeliest?.steps.includes(index) === true ? likeliest : own
  return [...byStep]
    .map(([index, { weight, best }]) =>
      toBlame(attempt, index, weight / total, bestOf(index, best)),
    )
    .flat()
    .toSorted((a, b) => b.confidence - a.confidence || (a.step ?? 0) - (b.step ?? 0))
}

function toBlame(attempt: Attempt, index: number, share: number, best: Explanation): Blame[] {
  const step = attempt.steps.find((one) => one.index === index)
  const expected = best.given[index]
  if (step === undefined || expected === undefined) return []
  const alone = best.steps.length === 1 ? 'With another result' : 'Together with another step,'
  return [
    {
      location: 'tool',
      ...{ step: index, tool: step.tool, concept: conceptOf(step), expected },
      ...{ confirmed: true, confidence: share },
      reason: `${alone} of step ${index + 1} (${step.tool}) the answer comes out as it should.`,
    },
  ]
}

/** Texts that steps answered. */
function saidBy(steps: readonly CallStep[]): readonly string[] {
  return steps.flatMap(({ tool, result }) =>
    tool !== 'EVAL' && tool !== 'RESULT' && typeof result === 'string' ? [result] : [],
  )
}

/** Texts that the program's expressions and conditions compare with. */
function literalsOf(program: string): readonly string[] {
  const expressions = stepsOf(parse(program).body)
    .filter(({ tool }) => tool.name === 'EVAL')
    .flatMap(({ args }) => args.map(({ value }) => (value.type === 'string' ? value.text : '')))
  const texts = expressions.flatMap((text) =>
    [...text.matchAll(/'([^'{}]+)'|"([^"{}]+)"/g)].map((match) => match[1] ?? match[2] ?? ''),
  )
  return [...new Set(texts)]
}

/** A crash blames by itself: the program's author for faults of the language, else the tool. */
function crashVerdict(attempt: Attempt): Verdict {
  const { outcome } = attempt
  if (outcome.status !== 'error') return noVerdict('replay')
  const { error, at } = outcome
  const step = at === undefined ? undefined : attempt.steps[at]
  const isProgram = error.kind === 'ModelFault' || step === undefined
  return {
    by: 'replay',
    calls: [],
    blames: [
      {
        location: isProgram ? 'program' : 'tool',
        ...(step === undefined ? {} : { step: step.index, tool: step.tool }),
        ...(step === undefined ? {} : { concept: conceptOf(step) }),
        ...{ confidence: 0.9, reason: `${error.code}: ${error.message}` },
      },
    ],
  }
}
