import { plural } from '../../../memory/index.ts'

/** What an earlier question of the conversation was about. */
export interface Earlier {
  readonly question: string
  readonly things: readonly string[]
}

const NEW_THING =
  /^(?:and|but|so|ok(?:ay)?)?,?\s*(?:(?:what|how) about|and)\s+(?:(?:the|a|an|any|some|for)\s+)*(.+?)\s*\??$/i

/** The second of two things that were asked about. */
const OTHER = /\b(?:the )?(?:other|second)(?: (?:one|thing|object))?(?: that you named)?\b/i
/** A question that says itself what to do with it. */
const ACTS =
  /\b(?:segment|cut|mask|outline|remove|erase|delete|blur|replace|describe|count|what colou?r)\b/i

/**
 * A question that leans on the one before, written out: `And the dogs?` asks the same of dogs, `it` and
 * `them` stand for what was asked about. Others come back as they are.
 */
export function writtenOut(question: string, earlier: Earlier | undefined): string {
  if (earlier === undefined || earlier.things.length === 0) return question
  const [thing = ''] = earlier.things
  const second = earlier.things[1]
  if (second !== undefined && OTHER.test(question)) {
    return ACTS.test(question)
      ? question.replace(OTHER, `the ${second}`).replace(/\bthe the\b/gi, 'the')
      : `Where is the ${second}?`
  }
  const elliptic = NEW_THING.exec(question.trim())
  const asked = elliptic?.[1]
  if (
    asked !== undefined &&
    asked.split(/\s+/).length <= 3 &&
    !/\b(?:many|is|are)\b/i.test(asked)
  ) {
    return exchanged(earlier.question, thing, asked)
  }
  const named = earlier.things.join(' and the ')
  return question
    .replace(/\b(?:it|them|those|these)\b(?!\s+\w+\s+(?:is|are)\b)/i, `the ${named}`)
    .replace(/\bthe the\b/gi, 'the')
}

function exchanged(question: string, thing: string, asked: string): string {
  for (const form of [plural(thing), thing]) {
    const at = question.toLowerCase().indexOf(form.toLowerCase())
    if (at >= 0) return question.slice(0, at) + asked + question.slice(at + form.length)
  }
  return question
}
