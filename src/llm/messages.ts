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
