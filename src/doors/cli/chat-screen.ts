import type { ChatPartDocument, ChatSkill } from '../../app/index.ts'
import { errorData, errorLine } from '../../base/index.ts'
import type { CommandInput } from './command.ts'
import { writeError, writeErrorData } from './report.ts'
import { paintFor, table } from './style.ts'
import { callText, milliseconds, valueText } from './trace.ts'

/** What is said beside the parts of turns. */
export type ChatNews =
  | ({ readonly type: 'picture'; readonly name: string; readonly file: string } & Sized)
  | { readonly type: 'skills'; readonly model: string; readonly skills: readonly ChatSkill[] }
  | { readonly type: 'corrected'; readonly value: string }
  | { readonly type: 'saved'; readonly file: string; readonly picture?: string }

interface Sized {
  readonly width: number
  readonly height: number
}

/** Where a chat is shown. */
export interface ChatScreen {
  part(part: ChatPartDocument, file?: string): void
  news(news: ChatNews): void
  fail(error: unknown): void
}

/** Every part as a JSON line. */
export function jsonScreen({ io }: CommandInput): ChatScreen {
  const line = (document: object): void => void io.stdout.write(`${JSON.stringify(document)}\n`)
  return {
    part: (part, file) => line(file === undefined ? part : { ...part, file }),
    news: line,
    fail: (error) => line({ type: 'error', error: errorData(error) }),
  }
}

/**
 * Answers on stdout, word by word on a terminal; what goes on besides on stderr. An announcement of a
 * skill is taken away when the skill is called: only answers stay.
 */
export function textScreen(input: CommandInput, clear: () => void): ChatScreen {
  const { io, global, options } = input
  const { stdout, stderr } = io
  const live = stdout.isTTY === true
  const trace = options.trace === true
  const paint = paintFor(stderr, io, global.color)
  let said = ''
  let notes: string[] = []
  const aside = (text: string): void => void (global.quiet || stderr.write(`${text}\n`))
  const takeBack = (): void => {
    if (!live || said === '') return
    const columns = stdout.columns || 80
    const rows = said
      .split('\n')
      .reduce((n, one) => n + Math.ceil(([...one].length || 1) / columns), 0)
    stdout.write(`${rows > 1 ? `\u001b[${rows - 1}A` : ''}\r\u001b[0J`)
    said = ''
  }
  const answer = (text: string): void => {
    if (said.trim() !== text.trim()) takeBack()
    stdout.write(said === '' ? `${text}\n` : '\n')
    said = ''
  }
  const finish = ({ run }: Extract<ChatPartDocument, { type: 'finish' }>): void => {
    if (live && said !== '') stdout.write('\n')
    said = ''
    const failure = run.error === undefined ? undefined : errorLine(run.error)
    for (const note of notes) if (note !== failure) aside(paint.yellow(note))
    notes = []
    if (run.error !== undefined) writeErrorData(run.error, { ...global, io })
    if (trace) stderr.write(paint.dim(`${run.run} · ${milliseconds(run.costs.seconds * 1000)}\n`))
  }
  const show = (part: ChatPartDocument, file?: string): void => {
    if (part.type === 'answer') return answer(part.text)
    if (part.type === 'finish') return finish(part)
    if (part.type === 'note') return void notes.push(part.text)
    if (part.type === 'picture') {
      return void stdout.write(`${part.name}, ${part.width} x ${part.height}: ${file ?? ''}\n`)
    }
    if (part.type === 'call-start') takeBack()
    if (!trace) return
    if (part.type === 'thoughts') stderr.write(paint.dim(`  ${part.text}\n`))
    if (part.type === 'call-start') {
      const on = part.picture === undefined ? '' : ` on ${part.picture}`
      stderr.write(`  ${paint.cyan(`${part.skill} ${JSON.stringify(part.params)}`)}${on}\n`)
    }
    if (part.type === 'step' && part.call !== undefined) {
      const { call } = part
      const came = call.error === undefined ? valueText(call.result) : errorLine(call.error)
      stderr.write(`    ${callText(call)} → ${came}  ${paint.dim(milliseconds(call.ms))}\n`)
    }
    if (part.type === 'call-end') {
      const came = part.error === undefined ? JSON.stringify(part.reply) : errorLine(part.error)
      stderr.write(paint.dim(`    gave ${came.length > 160 ? `${came.slice(0, 159)}…` : came}\n`))
    }
  }
  return {
    part: (part, file) => {
      clear()
      if (part.type !== 'say-delta') return show(part, file)
      // Where nobody watches, the whole answer comes at once.
      if (!live) return
      stdout.write(part.text)
      said += part.text
    },
    news: (news) => {
      clear()
      if (news.type === 'skills') stdout.write(skillsText(news.skills, news.model))
      else aside(newsText(news))
    },
    fail: (error) => {
      clear()
      writeError(error, { ...global, io })
    },
  }
}

function newsText(news: Exclude<ChatNews, { type: 'skills' }>): string {
  if (news.type === 'picture') return `${news.name}: ${news.file}, ${news.width} x ${news.height}`
  if (news.type === 'saved' && news.picture !== undefined) {
    return `Saved ${news.picture} as ${news.file}.`
  }
  if (news.type === 'saved') return `Saved ${news.file}; go on with "pupil chat --open".`
  return 'Noted; it counts from the next turn on.'
}

function skillsText(skills: readonly ChatSkill[], model: string): string {
  const able = skills.filter(({ missing }) => missing === undefined)
  const rest = skills.filter(({ missing }) => missing !== undefined)
  const rows = (list: readonly ChatSkill[]) =>
    table(list.map(({ name, about, missing }) => ['', name, missing ?? about]))
  const others = rest.length === 0 ? '' : `Cannot run here:\n${rows(rest)}\n`
  return `Answers come from ${model}. Skills:\n${rows(able)}\n${others}`
}
