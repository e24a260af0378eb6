import { z } from 'zod'
import type { Turn } from '../chat-task.ts'

const text = z.looseObject({ type: z.literal('text'), text: z.string() })
const file = z.looseObject({
  type: z.literal('file'),
  mediaType: z.string(),
  url: z.string().min(1),
})
const other = z.looseObject({ type: z.string() })
const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(z.union([text, file, other])).max(10_000),
})

/** What `useChat` sends; parts of kinds that say nothing to us, such as our own steps, are let pass. */
export const chatBody = z.looseObject({
  id: z.string().max(200).optional(),
  messages: z.array(message).min(1).max(1000),
  /** Given by `body` of the transport: one of the names under `/v1/models`. */
  model: z.string().default('pupil'),
  seed: z.number().int().nonnegative().optional(),
})

export type ChatBody = z.infer<typeof chatBody>

export function turnsOf({ messages }: ChatBody): readonly Turn[] {
  return messages.map(({ role, parts }) => ({
    role,
    text: parts
      .flatMap((part) => (part.type === 'text' ? [(part as z.infer<typeof text>).text] : []))
      .join('\n'),
    pictures: parts.flatMap((part) => {
      const { mediaType, url } = part as z.infer<typeof file>
      return part.type === 'file' && /^image\//i.test(mediaType ?? '') ? [url] : []
    }),
  }))
}
