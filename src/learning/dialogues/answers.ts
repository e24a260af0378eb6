import { article, pluralPhrase } from '../../memory/index.ts'
import { isList } from '../../tools/index.ts'
import type { PythonDict, PythonList } from '../../tools/index.ts'
import { pythonRepr } from '../../tools/index.ts'
import type { Wanted } from './question-templates.ts'

/** What a template answers from. */
export interface AnswerFacts {
  readonly skill: string
  readonly wants: Wanted
  /** Categories asked about. */
  readonly things: readonly string[]
  /** The cleaned reply. */
  readonly reply: PythonDict
}

/** An answer by templates: every number, name and place in it stands in the reply. */
export function templateAnswer({ wants, things, reply, skill }: AnswerFacts): string {
  const phrases = list(reply, 'phrases').map(String)
  switch (wants) {
    case 'count':
      return things
        .map((thing) => `There ${are(of(thing, phrases), thing)} in the picture.`)
        .join(' ')
    case 'exists':
      return things.map((thing) => exists(thing, of(thing, phrases))).join(' ')
    case 'where':
    case 'found':
      return things.map((thing) => found(thing, phrases, list(reply, 'boxes'))).join(' ')
    case 'caption':
      return sentence(String(reply.get('caption') ?? ''))
    case 'tags': {
      const tags = String(reply.get('tags') ?? '')
      return tags === '' ? 'I recognise nothing in the picture.' : `The picture shows: ${tags}.`
    }
    case 'texts': {
      const texts = list(reply, 'texts').map((one) => `"${String(one)}"`)
      return texts.length === 0 ? 'I can read no text.' : `The text reads ${texts.join(', ')}.`
    }
    case 'done':
      return `It is done: ${skill} has made the picture that you asked for.`
    default:
      return wants satisfies never
  }
}

function list(reply: PythonDict, key: string): PythonList {
  const value = reply.get(key)
  return isList(value) ? value : []
}

function of(thing: string, phrases: readonly string[]): number {
  return phrases.filter((phrase) => phrase === thing).length
}

/** `is 1 dog`, `are 3 dogs`, `are 0 dogs`. */
function are(number: number, thing: string): string {
  return number === 1 ? `is 1 ${thing}` : `are ${number} ${pluralPhrase(thing)}`
}

function exists(thing: string, number: number): string {
  if (number === 0) return `No, there is no ${thing} in the picture.`
  if (number === 1) return `Yes, there is ${article(thing)} ${thing} in the picture.`
  return `Yes, there ${are(number, thing)} in the picture.`
}

function found(thing: string, phrases: readonly string[], boxes: PythonList): string {
  const own = boxes.filter((_, i) => phrases[i] === thing)
  if (own.length === 0) return `I found no ${thing} in the picture.`
  const amount = own.length === 1 ? `1 ${thing}` : `${own.length} ${pluralPhrase(thing)}`
  return `I found ${amount}: ${own.map(pythonRepr).join(', ')}.`
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
