import { canonicalJson } from '../base/index.ts'
import type { Image } from '../image/index.ts'
import type { Message, ModelRequest } from './model.ts'

/** The text of a message without its pictures. */
export function messageText(message: Message): string {
  if (typeof message.content === 'string') return message.content
  return message.content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n')
}

/** The pictures of a message, in order. */
export function messagePictures(message: Message): readonly Image[] {
  if (message.role === 'tool') return message.pictures ?? []
  if (typeof message.content === 'string') return []
  return message.content.filter((part) => part.type === 'image').map((part) => part.image)
}

/** The texts of all messages, one after another: for matching and estimates, not for sending. */
export function requestText(request: Pick<ModelRequest, 'messages'>): string {
  return request.messages.map(messageText).join('\n')
}

/** All pictures of a request. */
export function requestPictures(request: Pick<ModelRequest, 'messages'>): readonly Image[] {
  return request.messages.flatMap(messagePictures)
}

/**
 * A request as one text, pictures by size and hash: how it stands in the record of a run.
 *
 * Equal requests give equal texts; settings such as the temperature are not in it.
 */
export function promptText(request: Pick<ModelRequest, 'messages' | 'tools' | 'schema'>): string {
  const tools = (request.tools ?? []).map(({ name }) => name)
  return [
    ...request.messages.map(turnText),
    ...(tools.length === 0 ? [] : [`[tools: ${tools.join(', ')}]`]),
    ...(request.schema === undefined ? [] : [`[reply: JSON by the schema ${request.schema.name}]`]),
  ].join('\n\n')
}

function turnText(message: Message): string {
  const lines = typeof message.content === 'string' ? [message.content] : []
  if (message.role === 'assistant') {
    for (const call of message.toolCalls ?? [])
      lines.push(`[calls ${call.name} ${canonicalJson(call.args)}]`)
  }
  if (message.role === 'tool') lines.push(...(message.pictures ?? []).map(pictureText))
  if (message.role === 'user' && typeof message.content !== 'string') {
    lines.push(
      ...message.content.map((part) =>
        part.type === 'text' ? part.text : pictureText(part.image),
      ),
    )
  }
  const name = message.role === 'tool' ? `tool ${message.name}` : message.role
  return [`## ${name}`, ...lines].join('\n')
}

function pictureText({ width, height, hash }: Image): string {
  return `[picture ${width}x${height} ${hash}]`
}
