import { UserFault } from '../base/index.ts'
import type { UnknownWord } from './backends.ts'

/** The error of a tool that no configured back end can do: what it cannot, and what could. */
export function unavailable(
  tool: string,
  message: string,
  would: string,
  fields: Readonly<Record<string, unknown>> = {},
): UserFault {
  return new UserFault('T_UNAVAILABLE', message, {
    fields: { tool, would, ...fields },
    cure: would,
  })
}

/** The error for a word that none of the back ends knows, which is not the same as nothing found. */
export function unknownWord(tool: string, unknown: readonly UnknownWord[]): UserFault {
  const word = unknown[0]?.word ?? ''
  const near = [...new Set(unknown.flatMap((one) => one.near))].slice(0, 5)
  const would = [...new Set(unknown.map((one) => one.would))].join(' ')
  const hint = near.length === 0 ? '' : ` The nearest words that it knows: ${near.join(', ')}.`
  return unavailable(tool, `${tool} does not know the word "${word}".${hint}`, would, {
    word,
    near,
  })
}

/** The error of a tool for which nothing is configured. */
export function noBackend(tool: string, what: string): UserFault {
  return unavailable(
    tool,
    `${tool} has no back end here: nothing is configured that can ${what}.`,
    'Turn on the photo models, or configure a hub or served model for it; see "pupil doctor".',
  )
}
