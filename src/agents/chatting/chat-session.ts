import { expected, randomIds, systemClock } from '../../base/index.ts'
import type { Clock, Ids } from '../../base/index.ts'
import type { Image } from '../../image/index.ts'
import type { DemonstrationPool } from '../../memory/index.ts'
import type { Action } from '../../tools/index.ts'
import { pythonJson } from '../../tools/index.ts'
import { SKILL_TOOLS } from './analogy/language.ts'
import { dialogueProgram } from './analogy/start-dialogues.ts'
import { chatFromFile, chatToFile } from './chat-file.ts'
import type { ChatFile } from './chat-file.ts'
import type { ChatPart } from './chat-part.ts'
import type { ChattingAgent, ChatTurnOptions } from './chatting-agent.ts'
import { addPicture, newConversation, withoutLast } from './conversation.ts'
import type { Conversation, Correction } from './conversation.ts'
import type { ListedSkill, SkillRepository } from './repository.ts'

export interface ChatSessionOptions {
  readonly agent: ChattingAgent
  readonly repository: SkillRepository
  /** Where corrected calls are remembered as dialogues; without it they only mark the turn. */
  readonly pool?: DemonstrationPool
  readonly clock?: Clock
  readonly ids?: Ids
  /** A conversation to go on with; default a new one. */
  readonly conversation?: Conversation
}

/** A chat that goes on: what `pupil chat` and pages drive. It holds the conversation as it is now. */
export interface ChatSession {
  readonly conversation: Conversation
  /** One turn, streamed. While it goes on no other may begin. */
  say(text: string, options?: ChatTurnOptions): AsyncGenerator<ChatPart, void, undefined>
  /** `/image`: adds a picture and gives its name. */
  addPicture(image: Image): string
  /** `/skills`: every skill, where it runs or why it cannot. */
  skills(): Promise<readonly ListedSkill[]>
  /**
   * `/correct`: what is right instead of the last answer, or of the call before it. A corrected call is
   * remembered with its question, and counts from the next turn on.
   */
  correct(correction: Omit<Correction, 'at'>): Promise<void>
  /** The last question once more, without the exchange that followed it. */
  regenerate(options?: ChatTurnOptions): AsyncGenerator<ChatPart, void, undefined>
  /** `/save`: the contents of a file that `openChat` reopens. */
  save(): Promise<ChatFile>
}

/** Reads what `save` gave. @throws UserFault `E_CHAT_FILE` */
export const openChat = chatFromFile

/** Begins or goes on with a chat. */
export function createChatSession(options: ChatSessionOptions): ChatSession {
  const { agent, repository, pool, clock = systemClock, ids = randomIds } = options
  let current = options.conversation ?? newConversation(ids.next('chat'))
  let busy = false
  async function* say(
    text: string,
    asked: ChatTurnOptions = {},
  ): AsyncGenerator<ChatPart, void, undefined> {
    if (busy) throw expected('the end of the turn before', 'say', text)
    busy = true
    try {
      for await (const part of agent.turn(current, text, asked)) {
        if (part.type === 'finish') current = part.conversation
        yield part
      }
    } finally {
      busy = false
    }
  }
  return {
    get conversation(): Conversation {
      return current
    },
    say,
    addPicture: (image) => {
      const added = addPicture(current, image)
      current = added.conversation
      return added.name
    },
    skills: () => repository.list(),
    correct: async (given) => {
      const correction: Correction = { ...given, at: clock.now() }
      const { conversation, question } = corrected(current, correction)
      current = conversation
      if (pool !== undefined && given.actions !== undefined) {
        await remember(pool, question, given.actions, { id: ids.next('chat'), by: given.author })
      }
    },
    regenerate: (asked) => {
      const { conversation, question } = withoutLast(current)
      current = conversation
      return say(question, asked)
    },
    save: () => chatToFile(current),
  }
}

/** The conversation with the turn marked that the correction is about, and its question. */
function corrected(
  conversation: Conversation,
  correction: Correction,
): { readonly conversation: Conversation; readonly question: string } {
  const { turns } = conversation
  const wants = correction.actions !== undefined
  const at = turns.findLastIndex(
    (turn) => turn.role === 'assistant' && (!wants || turn.actions.length > 0),
  )
  const found = at < 0 ? turns.findLastIndex(({ role }) => role === 'assistant') : at
  const turn = turns[found]
  if (turn?.role !== 'assistant') throw expected('an answer to correct', 'correction', undefined)
  const question = turns.slice(0, found).findLast(({ role }) => role === 'user')
  return {
    question: question?.role === 'user' ? question.text : '',
    conversation: Object.freeze({
      ...conversation,
      turns: turns.with(found, Object.freeze({ ...turn, corrected: correction })),
    }),
  }
}

/** A corrected call as a dialogue from which the planner learns; skills it has no word for are left out. */
async function remember(
  pool: DemonstrationPool,
  question: string,
  actions: readonly Action[],
  { id, by }: { readonly id: string; readonly by: string },
): Promise<void> {
  const calls = actions.flatMap(({ name, params }) => {
    const tool = Object.entries(SKILL_TOOLS).find(([, { skill }]) => skill === name)
    if (tool === undefined) return []
    const [word, { params: keys }] = tool
    const args = keys.flatMap((key) => {
      const value = params.get(key)
      if (value === undefined) return []
      const text = typeof value === 'string' ? value : pythonJson(value)
      return [`${key}='${text.replaceAll("'", '')}'`]
    })
    return [`${word}(${['image=IMAGE', ...args].join(',')})`]
  })
  if (calls.length === 0 || question === '') return
  const finds = /^(?:DETECT|SEGMENT)/.test(calls.at(-1) ?? '')
  await pool.put({
    ...{ id, family: 'chat', instruction: question, verdict: 'right', score: 0, origin: 'human' },
    program: dialogueProgram(calls, finds ? 'TELL_FOUND' : undefined),
    source: by,
  })
}
