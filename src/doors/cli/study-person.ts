import type { Person, PersonChoice, PersonView, SeekReading } from '../../app/index.ts'
import type { ChatLines } from './chat-lines.ts'
import type { Paint } from './style.ts'

type Output = Parameters<Person['read']>[0]

/** Where a person at a terminal reads and writes. */
export interface StudyScreen {
  readonly lines: Pick<ChatLines, 'next'>
  readonly write: (text: string) => void
  readonly paint: Paint
}

export const STUDY_HELP = `Choosing: the number of an action; words after it are a new query ("2 height of the tower"),
an object for select_object ("1 b2"); "# …" at the end says why. "?" lists what is not possible, "q" gives up.
Reading: "u" when it does not help; "i 1 words" when the words in entry 1 help; "a 1 words" when they are the
answer, "a 1 words = yes" when the answer follows from them.`

/** A person at the terminal in the place of planner and reasoner. */
export function studyPerson(screen: StudyScreen): Person {
  const { write } = screen
  return {
    choose: async (view) => {
      write(viewText(view, screen.paint))
      if (view.problem !== undefined) write(screen.paint.yellow(view.problem))
      for (;;) {
        const line = (await screen.lines.next())?.trim()
        if (line === undefined || line === 'q') return undefined
        if (line === '?') {
          write(excludedText(view))
          continue
        }
        const choice = choiceOf(line)
        if (choice !== undefined) return choice
        write(STUDY_HELP)
      }
    },
    read: async (output) => {
      write(entriesText(output, screen.paint))
      for (;;) {
        const line = (await screen.lines.next())?.trim()
        if (line === undefined) return { verdict: 'uninformative', why: 'nobody read it' }
        const reading = readingOf(line, output)
        if (typeof reading !== 'string') return reading
        write(reading)
      }
    },
  }
}

/** "2", "2 a new query", "1 b2", each with "# why". */
export function choiceOf(line: string): PersonChoice | undefined {
  const [said = '', ...reasons] = line.split(/\s#\s?/)
  const found = /^(\d+)(?:\s+(.+))?$/.exec(said.trim())
  if (found === null) return undefined
  const [, number = '', words] = found
  const why = reasons.join(' ').trim()
  return {
    choice: Number(number) - 1,
    ...(words === undefined ? {} : { query: words, object: words }),
    ...(why === '' ? {} : { why }),
  }
}

/** "u", "i 1 words", "a 1 words = value"; a sentence when it cannot be used. */
export function readingOf(
  line: string,
  { entries }: Pick<Output, 'entries'>,
): SeekReading | string {
  if (/^u\b/i.test(line)) return { verdict: 'uninformative' }
  const found = /^([ia])\s+e?(\d+)(?:\s+(.+))?$/i.exec(line)
  if (found === null) return STUDY_HELP
  const [, kind = '', number = '', words = ''] = found
  const entry = entries.find(({ id }) => id === `e${number}`)
  if (entry === undefined) return `There is no entry ${number}.`
  const [said = '', value] = words.split(/\s+=\s+/)
  const quote = said.trim() === '' ? (entry.text.split('\n')[0] ?? '') : said.trim()
  const plain = (text: string): string => text.replace(/\s+/g, ' ')
  if (!plain(entry.text).includes(plain(quote))) {
    return `"${quote}" does not stand in entry ${number}; copy the words as they are.`
  }
  const support = [{ entry: entry.id, quote }]
  return kind.toLowerCase() === 'i'
    ? { verdict: 'informative', claims: [{ text: quote, entry: entry.id, quote }] }
    : { verdict: 'answer', candidates: [{ answer: value?.trim() ?? quote, support }] }
}

function viewText(view: PersonView, paint: Paint): string {
  const { asked, state, phase, focus, known, actions, objects, left } = view
  const looking = focus.label === undefined ? '' : `, looking at ${focus.label}`
  return [
    '',
    paint.cyan(asked),
    paint.dim(
      `${phase === 'visual' ? 'to be seen' : 'to be known'}; after ${state}${looking}; ${left} calls left`,
    ),
    ...known.slice(-3).map((quote) => paint.dim(`  known: ${short(quote)}`)),
    ...actions.map(({ tool, args }, i) => {
      const query = args.q === undefined ? '' : ` "${short(args.q)}"`
      const boxes = objects.map(({ id, label }) => `${id} ${label}`).join(', ')
      return `  ${i + 1} ${tool}${tool === 'select_object' ? ` (${boxes})` : query}`
    }),
  ].join('\n')
}

function excludedText({ excluded }: PersonView): string {
  if (excluded.length === 0) return 'Nothing is excluded here.'
  return excluded.map(({ tool, why, note }) => `  ${tool}: ${note ?? why}`).join('\n')
}

function entriesText({ tool, entries }: Output, paint: Paint): string {
  const lines = entries.slice(0, 8).map(({ id, text }) => {
    const [first = '', ...rest] = text.split('\n')
    return [
      `  ${id.slice(1)} ${short(first, 200)}`,
      ...rest.slice(0, 6).map((one) => `    ${short(one, 160)}`),
    ]
  })
  return [paint.dim(`${tool} found:`), ...lines.flat()].join('\n')
}

function short(text: string, most = 90): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
