import { isFault, systemClock } from '../../base/index.ts'
import type { Abortable, Clock } from '../../base/index.ts'
import { encodePicture } from '../../image/index.ts'
import type { Image } from '../../image/index.ts'
import { askModelWorker, forModel, harmless, parseTurn, pythonStrip } from '../../tools/index.ts'
import { readActions, templateFor, wireActions, writePrompt, writeTurn } from '../../tools/index.ts'
import type { ControllerClient, Template, WorkerRequest } from '../../tools/index.ts'
import type { ChatModel, ModelTurn } from './chat-model.ts'
import { pictureNamed } from './conversation.ts'
import type { ChatTurn, Conversation } from './conversation.ts'
import { exchanges, historyFrom, questionOf } from './history.ts'
import type { FittedHistory } from './history.ts'
import { outcomesText } from './outcome-text.ts'
import { valueFilter } from './value-filter.ts'

export interface WorkerChatOptions {
  /** The name of the served model; the template follows it. */
  readonly model: string
  /** Address of the worker, or a controller that knows one. */
  readonly worker: string | ControllerClient
  readonly template?: Template
  /** Default 0.2, 0.7, 512 (llava-plus §3.4). */
  readonly temperature?: number
  readonly topP?: number
  readonly maxNewTokens?: number
  /** Only the reference's own keys in result turns. */
  readonly compat?: boolean
  readonly silenceMs?: number
  readonly clock?: Clock
}

/** A LLaVA-Plus or FastChat model worker as the one who answers (llava-plus §3, §5.3). */
export function workerChat(options: WorkerChatOptions): ChatModel {
  const { model, worker, maxNewTokens = 512, temperature = 0.2, topP = 0.7 } = options
  const template = options.template ?? templateFor(model)
  return {
    id: `worker/${model}`,
    async *reply({ conversation }, { signal } = {}) {
      const address =
        typeof worker === 'string' ? worker : await worker.workerFor(model, { signal })
      const all = exchanges(conversation.turns)
      for (let dropped = 0; ; dropped++) {
        const history = historyFrom(all, dropped)
        const request: WorkerRequest = {
          ...(await promptOf(conversation, history, template, options)),
          ...{ model, temperature, maxNewTokens, stop: template.stop },
          // The second generation of a tool turn has no top_p, as in the reference.
          ...(conversation.turns.at(-1)?.role === 'results' ? {} : { topP }),
        }
        try {
          yield* asParts(address, request, { ...options, signal })
          return
        } catch (error) {
          // The oldest exchange goes; the picture stays.
          const tooLong = isFault(error) && error.code === 'E_CHAT_TOO_LONG'
          if (!tooLong || dropped >= all.length - 1) throw error
        }
      }
    },
  }
}

async function* asParts(
  address: string,
  request: WorkerRequest,
  { signal, silenceMs, clock = systemClock }: WorkerChatOptions & Abortable,
) {
  const filter = valueFilter()
  let text = ''
  const begin = clock.tick()
  const limits = { signal, ...(silenceMs === undefined ? {} : { silenceMs }) }
  for await (const all of askModelWorker(address, request, limits)) {
    // Each text replaces the one before; only what was added is told.
    const delta = all.startsWith(text) ? filter(all.slice(text.length)) : ''
    text = all
    if (delta !== '') yield { type: 'say-delta', text: delta } as const
  }
  const ms = clock.tick() - begin
  yield { type: 'turn', turn: turnOf(text, request, ms) } as const
}

function turnOf(text: string, { model, prompt }: WorkerRequest, ms: number): ModelTurn {
  const parsed = parseTurn(text)
  const { actions = [], notes = [] } =
    parsed.actions === undefined ? {} : readActions(parsed.actions)
  return {
    thoughts: parsed.thoughts,
    value: parsed.value,
    actions,
    notes: [...parsed.notes, ...notes],
    calls: [{ model: `worker/${model}`, prompt, reply: text, ms, cached: false, purpose: 'chat' }],
  }
}

/** The prompt of a history and the one picture that such models take. */
async function promptOf(
  conversation: Conversation,
  { kept, orphans }: FittedHistory,
  template: Template,
  { compat = false }: WorkerChatOptions,
): Promise<Pick<WorkerRequest, 'prompt' | 'images'>> {
  const messages: string[] = []
  for (const exchange of kept) {
    const question = questionOf(exchange)
    for (const turn of exchange) {
      const text = turnText(turn, question, compat)
      const isHuman = turn.role !== 'assistant'
      // Two human turns in a row (the one before got no answer) stand in one message.
      if (isHuman && messages.length % 2 === 1) messages.push(`${messages.pop() ?? ''}\n${text}`)
      else if (isHuman || messages.length % 2 === 1) messages.push(text)
    }
  }
  const picture = pictureNamed(conversation, undefined)
  const used = kept.flat().some((turn) => turn.role === 'user' && turn.pictures.length > 0)
  const withPicture = picture !== undefined && (used || orphans.length > 0)
  const prompt = writePrompt(template, [...messages, null], { imageOnFirst: withPicture })
  return { prompt, images: withPicture ? [await pictureForModel(picture.image)] : [] }
}

function turnText(turn: ChatTurn, question: string, compat: boolean): string {
  if (turn.role === 'user') return harmless(turn.text).text
  if (turn.role === 'results')
    return harmless(outcomesText(turn.outcomes, question, { compat })).text
  const { thoughts, actions, value, corrected } = turn
  const said = { thoughts, actions: wireActions(actions), value: corrected?.value ?? value }
  return harmless(pythonStrip(writeTurn(said))).text
}

const encoded = new WeakMap<Image, Promise<string>>()

/** A picture as model workers get it: base64 of a PNG of the model's size, encoded once. */
export function pictureForModel(image: Image): Promise<string> {
  const known = encoded.get(image)
  if (known !== undefined) return known
  const made = forModel(image)
    .then((small) => encodePicture(small, 'png'))
    .then((bytes) => Buffer.from(bytes).toString('base64'))
  encoded.set(image, made)
  made.catch(() => encoded.delete(image))
  return made
}
