import { z } from 'zod'
import { readStructured } from '../llm/index.ts'
import type { ModelReply } from '../llm/index.ts'

const LOCATIONS = ['plan', 'program', 'tool', 'none'] as const

/** What a model says of whom to blame; `step` counts from 1. */
export interface Claim {
  readonly location: (typeof LOCATIONS)[number]
  readonly step?: number | null | undefined
  readonly reason: string
  readonly expected?: string | null | undefined
  readonly confidence?: number | null | undefined
}

/** @param steps  how many there are: a claim about another is no claim (vector L13) */
export function claimSchema(steps: number): z.ZodType<Claim> {
  return z
    .object({
      location: z.enum(LOCATIONS).describe('whom to blame; none: nothing is wrong here'),
      step: z
        .number()
        .int()
        .min(1)
        .max(Math.max(1, steps))
        .nullish()
        .describe('number of the step'),
      reason: z.string().min(1).max(2000).describe('why, in one or two sentences'),
      expected: z.string().max(500).nullish().describe('what the step should have given'),
      confidence: z.number().min(0).max(1).nullish(),
    })
    .refine(({ location, step }) => location !== 'tool' || typeof step === 'number', {
      message: 'a tool is blamed by the number of its step',
      path: ['step'],
    })
}

/** A claim out of a reply: JSON, else one `key: value` line each. */
export function readClaim(
  reply: Pick<ModelReply, 'text' | 'finish'>,
  schema: z.ZodType<Claim>,
): { readonly value: Claim } | { readonly problem: string } {
  const json = readStructured(reply, schema)
  if ('value' in json) return json
  const lines = linesOf(reply.text)
  if (lines === undefined) return json
  const checked = schema.safeParse(lines)
  return checked.success
    ? { value: checked.data }
    : { problem: checked.error.issues.map(({ message }) => message).join('; ') }
}

function linesOf(text: string): Record<string, unknown> | undefined {
  const found: Record<string, unknown> = {}
  for (const line of text.split('\n')) {
    const [, key, value = ''] =
      /^[\s*-]*(location|step|reason|expected|confidence)\s*:\s*(.+?)\s*$/i.exec(line) ?? []
    if (key === undefined) continue
    const name = key.toLowerCase()
    const isNumber = name === 'step' || name === 'confidence'
    const number = Number(value.replace(/^step\s*/i, ''))
    if (isNumber && Number.isFinite(number)) found[name] = number
    else if (!isNumber) found[name] = name === 'location' ? value.toLowerCase() : value
  }
  return 'location' in found ? found : undefined
}

/** Up to three short answers. */
export const answersSchema: z.ZodType<{ readonly answers: readonly string[] }> = z.object({
  answers: z.array(z.string().min(1).max(200)).min(1).max(3),
})
