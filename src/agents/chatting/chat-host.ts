import { countingIds } from '../../base/index.ts'
import { createObject, decodePicture } from '../../image/index.ts'
import type { ObjectRecord } from '../../image/index.ts'
import { isDict, isList, numberOf, parseTurn, readActions, readPython } from '../../tools/index.ts'
import { wireActions, writeTurn } from '../../tools/index.ts'
import type { PythonDict } from '../../tools/index.ts'
import type { ChatModel } from './chat-model.ts'
import { addPicture, addTurn, newConversation } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import type { Skill, SkillOutcome } from './skill.ts'

export interface ChatHostOptions {
  /** The name under which it is served, such as `llava-pupil-v1`. */
  readonly name: string
  readonly model: ChatModel
  /** Skills that it may ask the caller to run. */
  readonly skills: readonly Skill[]
}

/**
 * A chat model as a model worker of the protocol serves it: prompt in, three-field text out. The caller
 * runs the skills. Satisfies the door's `ChatHost`.
 *
 * @source llava-plus §5.3
 */
export interface ServedChat {
  readonly name: string
  answer(body: string, signal: AbortSignal): AsyncIterable<string>
}

export function createChatHost({ name, model, skills }: ChatHostOptions): ServedChat {
  return {
    name,
    async *answer(body, signal) {
      const conversation = await conversationOf(body, signal)
      for await (const part of model.reply({ conversation, skills }, { signal })) {
        if (part.type !== 'turn') continue
        const actions = part.turn.actions.flatMap((read) =>
          read.outcome === 'action' ? [read.action] : [],
        )
        const { thoughts, value } = part.turn
        yield writeTurn({ thoughts, actions: wireActions(actions), value })
      }
    },
  }
}

const ROLES =
  /(?:^|###|<\/s>|\s|<\|im_start\|>)(USER|Human|ASSISTANT|Assistant|user|assistant)(?::|\n)\s?/g

/** The turns of a prompt in any of the templates, without their marks. */
export function promptTurns(prompt: string): readonly { human: boolean; text: string }[] {
  const llama = prompt.includes('[INST]')
  const plain = llama ? llamaMarks(prompt) : prompt
  const marks = [...plain.matchAll(ROLES)]
  return marks.map((mark, i) => {
    const end = marks[i + 1]?.index ?? plain.length
    const text = plain.slice(mark.index + mark[0].length, end)
    return {
      human: /user|human/i.test(mark[1] ?? ''),
      text: text.replace(/(?:<\/s>|###|<\|im_end\|>)\s*$/, '').trim(),
    }
  })
}

function llamaMarks(prompt: string): string {
  return prompt
    .replace(/<<SYS>>[\s\S]*?<<\/SYS>>/, '')
    .replace(/(?:<s>)?\[INST\]/g, '</s>USER:')
    .replace(/\[\/INST\]/g, ' ASSISTANT:')
}

/** The conversation that a request stands for. @throws UserFault for pictures that cannot be read */
async function conversationOf(body: string, signal: AbortSignal): Promise<Conversation> {
  const asked = readPython(body)
  const prompt = isDict(asked) ? asked.get('prompt') : undefined
  const images = isDict(asked) ? asked.get('images') : undefined
  let conversation = newConversation(countingIds().next('chat'))
  for (const image of isList(images) ? images : []) {
    const bytes = Buffer.from(String(image).replace(/^data:[^,]*,/, ''), 'base64')
    const decoded = await decodePicture(bytes, { signal })
    conversation = addPicture(conversation, decoded.image).conversation
  }
  const pictures = conversation.pictures.map(({ name }) => name)
  for (const { human, text } of promptTurns(typeof prompt === 'string' ? prompt : '')) {
    if (text === '') continue
    conversation = human
      ? humanTurn(conversation, text, pictures)
      : addTurn(conversation, { ...spoken(text), run: 'wire' })
  }
  return conversation
}

function spoken(text: string) {
  const { thoughts, value, actions, notes } = parseTurn(text)
  const read = actions === undefined ? [] : readActions(actions).actions
  return {
    ...{ role: 'assistant' as const, thoughts, value, notes },
    actions: read.flatMap((one) => (one.outcome === 'action' ? [one.action] : [])),
  }
}

const RESULT = /^(\S+) (?:model outputs|output): (\{.*\})$/

function humanTurn(
  conversation: Conversation,
  text: string,
  names: readonly string[],
): Conversation {
  const outcomes = text.split('\n').flatMap((line): SkillOutcome[] => {
    const [, api = '', reply = ''] = RESULT.exec(line) ?? []
    const value = api === '' ? undefined : readPython(reply, { as: 'literal' })
    return isDict(value) ? [outcomeOf(api, value, conversation)] : []
  })
  if (outcomes.length > 0) return addTurn(conversation, { role: 'results', outcomes, run: 'wire' })
  const first = !conversation.turns.some(({ role }) => role === 'user')
  const said = text.replaceAll('<image>', '').trim()
  return addTurn(conversation, { role: 'user', text: said, pictures: first ? names : [] })
}

/** A result that came back as text, with the objects that its boxes stand for. */
function outcomeOf(api: string, reply: PythonDict, { pictures }: Conversation): SkillOutcome {
  const action = { name: api, params: new Map() }
  const code = numberOf(reply.get('error_code')) ?? 0
  if (code !== 0) {
    const message = String(reply.get('text') ?? 'the skill failed')
    return {
      ...{ action, made: [] },
      error: { kind: 'Unavailable', code: 'T_REMOTE_TOOL', message, fields: {} },
    }
  }
  const image = pictures[0]?.image
  const objects = image === undefined ? [] : objectsOf(reply, image)
  const made = reply.has('message') ? ['the new picture'] : []
  return { action, made, result: { reply, ...(reply.has('boxes') ? { objects } : {}) } }
}

function objectsOf(
  reply: PythonDict,
  image: { readonly width: number; readonly height: number; readonly frame: ObjectRecord['frame'] },
): readonly ObjectRecord[] {
  const [boxes, phrases, logits] = ['boxes', 'phrases', 'logits'].map((key) => reply.get(key))
  if (!isList(boxes)) return []
  return boxes.flatMap((row, i) => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = isList(row) ? row.map((n) => numberOf(n) ?? 0) : []
    const { width, height } = image
    const one = createObject(
      {
        id: `wire${i + 1}`,
        box: [x1 * width, y1 * height, x2 * width, y2 * height],
        category: String((isList(phrases) ? phrases[i] : undefined) ?? 'region'),
        score: isList(logits) ? (numberOf(logits[i]) ?? null) : null,
      },
      image,
    )
    return one === undefined ? [] : [one]
  })
}
