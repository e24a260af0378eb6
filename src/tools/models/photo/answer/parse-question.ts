import { plainText } from '../../../names.ts'
import type { Ask } from './question.ts'
import { QUESTION_RULES } from './question-rules.ts'

/** Openings that ask for an answer and say nothing about it. */
const NICETIES =
  /^(?:please|can you tell me|could you tell me|tell me|do you know|i want to know|say|answer|let me know|ok|hey|so)[, ]+/

/** Words for the picture itself: it is what is looked at anyway. */
const LOOKING =
  /^(?:in|on|from|for|looking at) (?:the|this|that) (?:picture|image|photo|photograph|scene)[, ]+/

/** What a question asks, or undefined when it is none of those that can be measured. */
export function parseQuestion(question: string): Ask | undefined {
  const text = tidy(question)
  for (const { pattern, read } of QUESTION_RULES) {
    const match = pattern.exec(text)
    const ask =
      match === null
        ? undefined
        : read(
            match.map((part) => part ?? ''),
            question,
          )
    if (ask !== undefined) return ask
  }
  return undefined
}

function tidy(question: string): string {
  let text = plainText(question.replace(/[’`]/g, "'").replace(/[?!.;:"“”]+/g, ' '))
    .replace(/\bwhat's\b/g, 'what is')
    .replace(/\bwhere's\b/g, 'where is')
    .replace(/\bwho's\b/g, 'who is')
    .replace(/\bthere's\b/g, 'there is')
    .replace(/\bphotograph\b/g, 'photo')
    .trim()
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(NICETIES, '').replace(LOOKING, '').trim()
  }
  return text
}
