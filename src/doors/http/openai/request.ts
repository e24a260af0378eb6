import { z } from 'zod'
import { UserFault } from '../../../base/index.ts'
import type { Turn } from '../chat-task.ts'

const text = z.looseObject({ type: z.literal('text'), text: z.string() })
const picture = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().min(1) }),
})
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })
const part = z.discriminatedUnion('type', [text, picture, refusal], {
  error: 'expected a part of type text or image_url',
})
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
})

/** A chat completion as clients of many makes ask for it: what we do not know is let pass. */
export const completionBody = z.looseObject({
  model: z.string().default('pupil'),
  messages: z.array(message).min(1).max(1000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  seed: z.number().int().nonnegative().nullish(),
  n: z.number().nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  tool_choice: z.unknown().optional(),
  modalities: z.array(z.string()).nullish(),
})

export type CompletionBody = z.infer<typeof completionBody>

/**
 * Refuses what would be promised and not kept; settings of sampling have no meaning here and are let pass.
 *
 * @throws UserFault `E_UNSUPPORTED`
 */
export function refuseUnsupported(body: CompletionBody): void {
  const { n, response_format: format, tool_choice: choice, modalities } = body
  const wrong =
    typeof n === 'number' && n !== 1
      ? ['n', 'one choice is made for a request']
      : typeof format?.type === 'string' && format.type !== 'text'
        ? ['response_format', 'answers are text']
        : choice !== undefined && choice !== null && choice !== 'auto' && choice !== 'none'
          ? ['tool_choice', 'Pupil calls its own tools, not those of the request']
          : modalities?.includes('audio') === true
            ? ['modalities', 'there is no sound']
            : undefined
  if (wrong === undefined) return
  const [path, reason] = wrong
  throw new UserFault('E_UNSUPPORTED', `${path} cannot be met: ${reason}.`, { fields: { path } })
}

/** A picture that we gave in an earlier reply, so that "now make it grey" speaks of it. */
const GIVEN = /!\[[^\]]*\]\(((?:https?:\/\/[^()\s]+)?\/v1\/blobs\/[0-9a-f]{64})\)/g

export function turnsOf({ messages }: CompletionBody): readonly Turn[] {
  return messages.flatMap(({ role, content }): readonly Turn[] => {
    if (role === 'tool' || role === 'function') return []
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    const words = (parts ?? []).flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n')
    const given = role === 'assistant' ? [...words.matchAll(GIVEN)].map(([, url = '']) => url) : []
    const sent = (parts ?? []).flatMap((one) =>
      one.type === 'image_url' ? [one.image_url.url] : [],
    )
    return [
      { role: role === 'developer' ? 'system' : role, text: words, pictures: [...sent, ...given] },
    ]
  })
}
