import { errorData, errorLine, ModelFault, seededRandom, UserFault } from '../../base/index.ts'
import type { Clock, Ids, Random } from '../../base/index.ts'
import { createBudget, overBudget } from '../../llm/index.ts'
import type { Budget } from '../../llm/index.ts'
import { isDict, isList, plainOf } from '../../tools/index.ts'
import type { Action, ReadAction, SkillState } from '../../tools/index.ts'
import type { ModelCall, Outcome, ReplyStep, Run, Step } from '../step.ts'
import { callKey, callSkill } from './call-skill.ts'
import type { SkillCall } from './call-skill.ts'
import type { ModelTurn } from './chat-model.ts'
import { namedPicture } from './chat-model.ts'
import type { ChatCaps, ChatPart } from './chat-part.ts'
import type { ChattingAgentParts, ChatTurnOptions } from './chatting-agent.ts'
import { unfoundedClaims } from './claims.ts'
import { addPicture, addTurn, pictureNamed } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import type { Skill, SkillOutcome } from './skill.ts'

type Parts = ChattingAgentParts & {
  readonly clock: Clock
  readonly ids: Ids
  readonly version: string
  readonly caps: ChatCaps
}

const NO_PARAMS: Action['params'] = new Map()

/** One turn of a user while it goes on: it lives as long as the turn. */
export class TurnLoop {
  readonly #parts: Parts
  readonly #question: string
  readonly #options: ChatTurnOptions
  readonly #id: string
  readonly #budget: Budget
  readonly #random: Random
  readonly #begun: number
  /** Stops calls and the model when whoever listens goes away. */
  readonly #gone = new AbortController()
  readonly #signal: AbortSignal
  readonly #limit: AbortSignal
  readonly #steps: Step[] = []
  readonly #warnings: string[] = []
  readonly #made = new Map<string, Promise<SkillCall>>()
  #conversation: Conversation
  #said = ''
  #calls = 0
  #objects = 0

  constructor(parts: Parts, before: Conversation, question: string, options: ChatTurnOptions) {
    this.#parts = parts
    this.#question = question
    this.#options = options
    this.#id = options.id ?? parts.ids.next('run')
    this.#begun = options.createdAt ?? parts.clock.now()
    this.#budget = createBudget(options.budget ?? {}, parts.clock)
    this.#random = seededRandom(options.seed ?? 1)
    this.#limit = AbortSignal.timeout(parts.caps.turnMs)
    this.#signal = AbortSignal.any([
      ...[this.#limit, this.#gone.signal],
      ...(options.signal === undefined ? [] : [options.signal]),
    ])
    const pictures = options.pictures ?? unseen(before)
    this.#conversation = addTurn(before, { role: 'user', text: question, pictures })
  }

  async *parts(): AsyncGenerator<ChatPart, void, undefined> {
    let outcome: Outcome | undefined
    try {
      outcome = yield* this.#answer()
    } catch (error) {
      outcome = this.#failed(error)
      if (outcome.status === 'error') yield { type: 'note', text: errorLine(outcome.error) }
    } finally {
      // When the listener left in the middle, what still runs is stopped.
      if (outcome === undefined) this.#gone.abort(new Error('nobody listens any more'))
    }
    yield { type: 'finish', conversation: this.#conversation, run: this.#run(outcome) }
  }

  /** The loop of llava-plus §3.1. */
  async *#answer(): AsyncGenerator<ChatPart, Outcome, undefined> {
    const { repository, skillLetters, caps } = this.#parts
    const letters = skillLetters === undefined ? {} : { letters: skillLetters }
    const skills = await repository.offered(this.#question, { signal: this.#signal, ...letters })
    for (let toolTurns = 0; ; toolTurns++) {
      const capped = toolTurns >= caps.toolTurns || this.#calls >= caps.calls
      const turn = yield* this.#ask(capped ? [] : skills)
      const wants = turn.actions.length > 0
      if (!wants) return yield* this.#finish(turn, capped ? [] : skills)
      if (capped) {
        const note = 'The limit of skill calls for one question was reached; no more were made.'
        return yield* this.#close({ ...turn, actions: [], notes: [...turn.notes, note] })
      }
      yield* this.#act(turn, toolTurns + 1)
    }
  }

  async *#ask(
    skills: readonly Skill[],
    remark?: string,
  ): AsyncGenerator<ChatPart, ModelTurn, undefined> {
    const over = this.#budget.exhausted()
    if (over !== undefined) throw overBudget(over, this.#budget.limits)
    const { model, clock } = this.#parts
    const begun = clock.tick()
    this.#said = ''
    const request = { conversation: this.#conversation, skills, ...(remark && { remark }) }
    for await (const part of model.reply(request, { signal: this.#signal })) {
      this.#signal.throwIfAborted()
      if (part.type === 'say-delta') {
        this.#said += part.text
        yield part
        continue
      }
      const { turn } = part
      this.#charge(turn.calls)
      if (turn.thoughts !== '') yield { type: 'thoughts', text: turn.thoughts }
      for (const text of turn.notes) yield this.#note(text)
      yield this.#step(replyStep(turn, clock.tick() - begun))
      return turn
    }
    throw new ModelFault('E_MODEL_REPLY', 'The model ended its turn without saying anything.', {
      cure: 'Ask again, or choose another model.',
    })
  }

  #charge(calls: readonly ModelCall[]): void {
    for (const { usage } of calls) {
      const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
      this.#budget.record({ calls: 1, tokens, money: usage?.cost ?? 0 })
    }
  }

  /** Runs the actions of a turn side by side; what comes of them is told in their order. */
  async *#act(turn: ModelTurn, number: number): AsyncGenerator<ChatPart, void, undefined> {
    const actions = turn.actions.map(actionOf)
    this.#conversation = addTurn(this.#conversation, {
      ...{ role: 'assistant', thoughts: turn.thoughts, actions, value: turn.value },
      ...{ notes: turn.notes, run: this.#id },
    })
    const asked = turn.actions.map((read) => this.#begin(read, number))
    for (const { action } of asked) yield { type: 'call-start', action, ...this.#about(action) }
    const outcomes: SkillOutcome[] = []
    for (const { pending, repeated } of asked) {
      const { outcome, steps } = await pending
      if (!repeated) for (const step of steps) yield this.#placed(step)
      const names = repeated ? [] : yield* this.#keep(outcome)
      const told = { ...outcome, made: names, ...(repeated ? { repeated: true } : {}) }
      outcomes.push(told)
      yield { type: 'call-end', outcome: told }
    }
    this.#conversation = addTurn(this.#conversation, {
      ...{ role: 'results', outcomes, run: this.#id },
    })
  }

  #about(action: Action): { readonly picture?: string } {
    const picture = pictureNamed(this.#conversation, namedPicture(action.params))
    return picture === undefined ? {} : { picture: picture.name }
  }

  /** Starts a call unless the same was made in this turn, it is refused, or too many were made. */
  #begin(
    read: ReadAction,
    turn: number,
  ): { action: Action; pending: Promise<SkillCall>; repeated: boolean } {
    const action = actionOf(read)
    if (read.outcome === 'refused') {
      return { action, pending: this.#refused(action, read.reason), repeated: false }
    }
    const key = callKey(action)
    const known = this.#made.get(key)
    if (known !== undefined) return { action, pending: known, repeated: true }
    const { caps, repository, call, clock } = this.#parts
    if (this.#calls >= caps.calls) {
      const reason = `Only ${caps.calls} calls are made for one question.`
      return { action, pending: this.#refused(action, reason), repeated: false }
    }
    this.#calls++
    const pending = callSkill(action, {
      ...{ repository, call, clock, turn, callMs: caps.callMs, signal: this.#signal },
      ...{ conversation: this.#conversation, random: this.#random },
      newId: () => `o${++this.#objects}`,
    })
    // It is awaited in its order; until then a failure must not count as unhandled.
    pending.catch(() => {})
    this.#made.set(key, pending)
    return { action, pending, repeated: false }
  }

  #refused(action: Action, reason: string): Promise<SkillCall> {
    const error = errorData(new UserFault('E_SKILL_CALL', reason))
    return Promise.resolve({ outcome: { action, error }, steps: [] })
  }

  /** Names the pictures that a call made, and keeps masks for later skills. */
  async *#keep(
    outcome: Omit<SkillOutcome, 'made'>,
  ): AsyncGenerator<ChatPart, readonly string[], undefined> {
    const { result, action } = outcome
    const names: string[] = []
    for (const image of result?.made ?? []) {
      const added = addPicture(this.#conversation, image, action.name)
      this.#conversation = added.conversation
      names.push(added.name)
      yield { type: 'picture', picture: { name: added.name, image, madeBy: action.name } }
    }
    const masks = result?.masks ?? []
    this.#conversation = Object.freeze({
      ...this.#conversation,
      state: stateAfter(this.#conversation.state, outcome),
      ...(masks.length > 0 ? { masks } : {}),
    })
    return names
  }

  /** An answer: checked for claims that nothing supports; such a one is asked for once more. */
  async *#finish(
    turn: ModelTurn,
    skills: readonly Skill[],
  ): AsyncGenerator<ChatPart, Outcome, undefined> {
    const claims = turn.grounded === true ? [] : this.#unfounded(turn)
    if (claims.length === 0) return yield* this.#close(turn)
    yield this.#note(
      `The answer claimed work that was not done (${claims.join(', ')}); it was asked again.`,
    )
    const remark = `Your last answer claimed work that no result shows (${claims.join(', ')}). Answer without such a claim, or call the skill.`
    const again = yield* this.#ask(skills, remark)
    if (again.actions.length > 0 && skills.length > 0) {
      yield* this.#act(again, this.#parts.caps.toolTurns)
      return yield* this.#closeChecked(yield* this.#ask([]))
    }
    return yield* this.#closeChecked(again)
  }

  async *#closeChecked(turn: ModelTurn): AsyncGenerator<ChatPart, Outcome, undefined> {
    const claims = this.#unfounded(turn)
    if (claims.length === 0) return yield* this.#close(turn)
    const note = `No step of this conversation did what the answer claims: ${claims.join(', ')}.`
    yield this.#note(note)
    return yield* this.#close({ ...turn, value: `${turn.value}\n\n[${note}]`, notes: [note] })
  }

  #unfounded({ value }: ModelTurn): readonly string[] {
    const outcomes = this.#conversation.turns.flatMap((one) =>
      one.role === 'results' ? one.outcomes : [],
    )
    return unfoundedClaims(value, outcomes)
  }

  async *#close(turn: ModelTurn): AsyncGenerator<ChatPart, Outcome, undefined> {
    const { thoughts, value, notes } = turn
    if (value === '') {
      throw new ModelFault('E_MODEL_REPLY', 'The model gave an empty answer.', {
        cure: 'Ask again, or choose another model.',
      })
    }
    for (const note of notes) if (!this.#warnings.includes(note)) yield this.#note(note)
    this.#conversation = addTurn(this.#conversation, {
      ...{ role: 'assistant', thoughts, actions: [], value, notes, run: this.#id },
    })
    yield { type: 'answer', text: value }
    return { status: 'done', value, answer: value }
  }

  /** What was said until it was stopped stays in the conversation, marked. */
  #failed(error: unknown): Outcome {
    const { signal } = this.#options
    if (signal?.aborted === true || this.#gone.signal.aborted) {
      this.#conversation = addTurn(this.#conversation, {
        ...{ role: 'assistant', thoughts: '', actions: [], value: this.#said, notes: ['stopped'] },
        ...{ run: this.#id, cancelled: true },
      })
      const reason: unknown = signal?.reason ?? this.#gone.signal.reason
      return {
        status: 'aborted',
        reason: reason instanceof Error ? reason.message : String(reason),
      }
    }
    if (this.#limit.aborted) {
      const seconds = this.#parts.caps.turnMs / 1000
      const late = new UserFault('E_CHAT_TIME', `The turn took longer than ${seconds} s.`, {
        cure: 'Ask for less at once, or allow a turn more time.',
      })
      return { status: 'error', error: errorData(late) }
    }
    return { status: 'error', error: errorData(error) }
  }

  #note(text: string): ChatPart {
    if (!this.#warnings.includes(text)) this.#warnings.push(text)
    return { type: 'note', text }
  }

  #step(step: Step): ChatPart {
    const frozen = Object.freeze(step)
    this.#steps.push(frozen)
    return { type: 'step', step: frozen }
  }

  #placed(step: SkillCall['steps'][number]): ChatPart {
    const index = this.#steps.filter(({ kind }) => kind === 'call').length
    return this.#step({ ...step, index, output: `R${index}` })
  }

  #run(outcome: Outcome | undefined): Run {
    const { version } = this.#parts
    const inputs = this.#conversation.pictures.filter(({ madeBy }) => madeBy === undefined)
    return Object.freeze({
      id: this.#id,
      agent: 'chatting',
      task: {
        ...{ agent: 'chatting', family: 'open', instruction: this.#question },
        inputs: Object.fromEntries(inputs.map(({ name, image }) => [name, image])),
        ...(this.#options.budget === undefined ? {} : { budget: this.#options.budget }),
        seed: this.#options.seed ?? 1,
      },
      steps: Object.freeze([...this.#steps]),
      outcome: outcome ?? { status: 'aborted', reason: 'nobody listens any more' },
      cost: this.#budget.spent(),
      models: modelsOf(this.#steps),
      lessonsUsed: lessonsOf(this.#steps),
      warnings: [...this.#warnings],
      createdAt: this.#begun,
      version,
    } satisfies Run)
  }
}

/** Pictures that no turn has shown yet. */
function unseen({ pictures, turns }: Conversation): readonly string[] {
  const seen = new Set(turns.flatMap((turn) => (turn.role === 'user' ? turn.pictures : [])))
  return pictures.flatMap(({ name, madeBy }) =>
    madeBy === undefined && !seen.has(name) ? [name] : [],
  )
}

function actionOf(read: ReadAction): Action {
  return read.outcome === 'action' ? read.action : { name: read.name, params: NO_PARAMS }
}

function replyStep(turn: ModelTurn, ms: number): ReplyStep {
  const { thoughts, value, calls } = turn
  return {
    ...{ kind: 'reply', thoughts, value, calls, ms },
    actions: turn.actions.map((read) => {
      const { name, params } = actionOf(read)
      return { name, params: plainOf(params) }
    }),
  }
}

function stateAfter(state: SkillState, { result }: Omit<SkillOutcome, 'made'>): SkillState {
  const masks = result?.reply.get('masks_rle')
  const first = isList(masks) ? masks[0] : undefined
  const drawn = result?.reply.get('image_seg')
  return {
    ...state,
    ...(isDict(first) ? { mask: first } : {}),
    ...(typeof drawn === 'string' ? { segmentation: drawn } : {}),
  }
}

function modelsOf(steps: readonly Step[]): Run['models'] {
  const stamps = steps.flatMap((step) => {
    if (step.kind === 'call') return step.models
    return 'calls' in step ? step.calls.map(({ model }) => ({ name: model })) : []
  })
  return [
    ...new Map(stamps.map((one) => [`${one.name} ${'hash' in one ? one.hash : ''}`, one])).values(),
  ]
}

function lessonsOf(steps: readonly Step[]): Run['lessonsUsed'] {
  const uses = new Map<string, Run['lessonsUsed'][number]>()
  for (const step of steps) {
    if (step.kind !== 'call') continue
    for (const { lesson, concept } of step.prompts) {
      uses.set(`${lesson} ${step.tool}`, { lesson, version: 1, concept, tool: step.tool })
    }
  }
  return [...uses.values()]
}
