import type { Image, ObjectRecord } from '../image/index.ts'
import type { ModelStamp, PromptUse } from '../program/index.ts'
import type { Backends, Match, Matcher, UnknownWord } from './backends.ts'
import type { ToolContext } from './tool.ts'
import { noBackend } from './unavailable.ts'

export interface MatchRequest {
  readonly image: Image
  readonly objects: readonly ObjectRecord[]
  readonly texts: readonly string[]
}

export interface Matched {
  /** In the order of the texts; unknown only when no matcher knows the text. */
  readonly matches: readonly Match[]
  /** Which matcher answered each text. */
  readonly by: readonly (Matcher | undefined)[]
  readonly models: readonly ModelStamp[]
  /** What was taught and took part. */
  readonly uses: readonly PromptUse[]
}

/** Compares objects with texts; a text unknown to one matcher goes to the next. */
export async function matchTexts(
  tool: string,
  backends: Backends,
  { image, objects, texts }: MatchRequest,
  context: ToolContext,
): Promise<Matched> {
  if (backends.matchers.length === 0) throw noBackend(tool, 'compare objects with texts')
  const matches: Match[] = []
  const by: (Matcher | undefined)[] = texts.map(() => undefined)
  const unknown: UnknownWord[][] = texts.map(() => [])
  for (const matcher of backends.matchers) {
    const open = texts.flatMap((_, i) => (by[i] === undefined ? [i] : []))
    if (open.length === 0) break
    const asked = open.map((i) => texts[i] ?? '')
    const found = await matcher.match(image, objects, asked, { signal: context.signal })
    open.forEach((i, k) => {
      const match = found[k]
      if (match?.known === true) {
        matches[i] = match
        by[i] = matcher
      } else if (match !== undefined) unknown[i]?.push(match)
    })
  }
  return {
    matches: texts.map((word, i) => matches[i] ?? merged(word, unknown[i] ?? [])),
    by,
    models: [...new Set(by)].flatMap((matcher) => matcher?.models() ?? []),
    uses: matches.flatMap((match) => (match?.known === true ? (match.uses ?? []) : [])),
  }
}

function merged(word: string, unknown: readonly UnknownWord[]): UnknownWord {
  return {
    known: false,
    word,
    near: [...new Set(unknown.flatMap((one) => one.near))],
    would: [...new Set(unknown.map((one) => one.would))].join(' '),
  }
}
