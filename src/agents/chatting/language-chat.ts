import { estimateTokens, recordedCall } from '../../llm/index.ts'
import type { LanguageModel, ModelReply, ModelRequest, ToolCallPart } from '../../llm/index.ts'
import { parseTurn, pythonOf, readActions } from '../../tools/index.ts'
import type { PythonValue, ReadAction } from '../../tools/index.ts'
import type { ChatModel, ChatRequest, ModelTurn } from './chat-model.ts'
import { fitHistory } from './history.ts'
import { actionNamed, messagesOf, toolOffers } from './language-prompt.ts'
import type { TurnForm } from './language-prompt.ts'
import type { Skill } from './skill.ts'
import { valueFilter } from './value-filter.ts'

export interface LanguageChatOptions {
  /** Default: `native` where the model has tool calls (beside pictures), `text` where it has none. */
  readonly form?: TurnForm
  /** New tokens at most; default 512 (llava-plus §3.4). */
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
}

/** A language model as the one who answers: native tool calls, or the three fields as text. */
export function languageChat(model: LanguageModel, options: LanguageChatOptions = {}): ChatModel {
  const { maxTokens = 512, temperature = 0.2, topP = 0.7 } = options
  const { vision, tools, visionWithTools, contextTokens } = model.capabilities
  const native = tools === true && (vision === false || visionWithTools !== false)
  const form = options.form ?? (native ? 'native' : 'text')
  const sees = vision !== false
  return {
    id: model.id,
    async *reply(request, { signal } = {}) {
      const { turns } = request.conversation
      const history = await fitHistory(turns, async (one) => {
        if (contextTokens === undefined) return true
        const size = await estimateTokens(messagesOf(request, one, form, sees))
        return size + maxTokens <= contextTokens
      })
      const asked: ModelRequest = {
        messages: messagesOf(request, history, form, sees),
        ...{ maxTokens, temperature, topP },
        ...(form === 'native' && request.skills.length > 0
          ? { tools: toolOffers(request.skills) }
          : {}),
      }
      const filter = valueFilter()
      for await (const part of model.stream(asked, { signal })) {
        if (part.type === 'text-delta') {
          const text = filter(part.text)
          if (text !== '') yield { type: 'say-delta', text }
        }
        if (part.type === 'finish') yield { type: 'turn', turn: turnOf(asked, part.reply, request) }
      }
    },
  }
}

function turnOf(asked: ModelRequest, reply: ModelReply, { skills }: ChatRequest): ModelTurn {
  const parsed = parseTurn(reply.text)
  const written = parsed.actions === undefined ? undefined : readActions(parsed.actions)
  const native = reply.toolCalls.map((call) => nativeAction(call, skills))
  const cut = reply.finish === 'length' ? ['The reply was cut at the limit of new tokens.'] : []
  const twice = native.length > 0 && (written?.actions.length ?? 0) > 0
  return {
    thoughts: parsed.thoughts,
    value: parsed.value,
    actions: native.length > 0 ? native : (written?.actions ?? []),
    notes: [
      ...parsed.notes,
      ...(written?.notes ?? []),
      ...(twice
        ? ['The model called skills in two forms at once; its native calls were taken.']
        : []),
      ...cut,
    ],
    calls: [{ ...recordedCall(asked, reply), purpose: 'chat' }],
  }
}

function nativeAction({ name, args }: ToolCallPart, skills: readonly Skill[]): ReadAction {
  const entry = new Map<string, PythonValue>([
    ['API_name', actionNamed(name, skills)],
    ['API_params', pythonOf(args ?? {})],
  ])
  const [action] = readActions([entry]).actions
  return action ?? { outcome: 'refused', name, reason: 'The call could not be read.' }
}
