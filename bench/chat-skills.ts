/**
 * Does the chat without a language model call the right skill with the right arguments? Questions of the picture
 * world's dialogues in its held-out wordings, none of which is among the recorded dialogues.
 *
 * npm run bench:chat-skills [-- --count 1000] [--part held-out|train] [--seed 0] [--show 20]
 */
import { parseArgs } from 'node:util'
import { SKILLS, analogyChat, newConversation, startDialogues } from '../src/agents/index.ts'
import type { ChatTurn, Conversation } from '../src/agents/index.ts'
import { bootstrapInterval } from '../src/evaluate/index.ts'
import { memoryDemonstrations } from '../src/memory/index.ts'

import type { Action, PythonDict, PythonValue } from '../src/tools/index.ts'
import { DEVELOPMENT_STYLE, openLibrary } from '../world/index.ts'
import type { DialogueTurn, Library } from '../world/index.ts'
import { streamOf } from '../world/stream.ts'
import { makeTurn } from '../world/tasks/dialogue-turns.ts'
import type { TurnContext } from '../world/tasks/dialogue-turns.ts'
import { TURN_WORDINGS } from '../world/tasks/dialogue-wordings.ts'
import type { TurnKind } from '../world/tasks/dialogue-wordings.ts'

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    part: { type: 'string', default: 'held-out' },
    seed: { type: 'string', default: '0' },
    show: { type: 'string', default: '0' },
    cache: { type: 'string', default: `${process.env['HOME'] ?? '.'}/.cache/pupil/world` },
  },
})
const KINDS = Object.keys(TURN_WORDINGS) as readonly TurnKind[]
const library = await openLibrary([DEVELOPMENT_STYLE], { cacheFolder: flags.cache })
const stream = streamOf(Number(flags.seed), 'words/chat-skills')

/** A scene with something to speak of: a thing, another of which there is one, one that is not there. */
function context({ lexicon, ...world }: Library, seed: number): TurnContext | undefined {
  const { graph: scene } = world.scene({
    ...{ seed: 5_000_000 + seed, size: 256, styles: [DEVELOPMENT_STYLE], objects: 4 },
    ...{ wanted: [], tints: [], without: [], fresh: [] },
  })
  const there = stream.shuffle([...new Set(scene.objects.map(({ concept }) => concept))])
  const [first, second] = there.filter((id) => lexicon.concept(id).article !== '')
  const others = world.conceptsOf([DEVELOPMENT_STYLE], 'known')
  const free = others.filter((id) => !there.includes(id) && lexicon.concept(id).article !== '')
  if (first === undefined || second === undefined) return undefined
  const found = (): { caption: string; similarity: number }[] => []
  return {
    ...{ lexicon, stream, scene, first, second, found },
    ...{ absent: stream.pick(free), put: stream.pick(free) },
  }
}

/** Skills that do the same: another name of the reference's, or our own skill for the same work. */
const SAME: Readonly<Record<string, string>> = {
  'grounding_dino+sam': 'grounded_sam',
  clip: 'retrieval',
  ip2p: 'instruct-pix2pix',
  controlnet: 'openseed',
  easyocr: 'ocr',
}
/** Our own editing skill does what the reference's two do, by name of the thing instead of by mask. */
const OURS: Readonly<Partial<Record<TurnKind, string>>> = { edit: 'replace', inpaint: 'replace' }
const nameOf = (skill: string): string => SAME[skill] ?? skill

interface Case {
  readonly kind: TurnKind
  readonly question: string
  /** What was asked before, for questions that lean on it. */
  readonly before?: DialogueTurn
  readonly turn: DialogueTurn
  /** The thing that is meant. */
  readonly about: string
  /** What is to be put there. */
  readonly put: string
}

function cases(count: number): readonly Case[] {
  const part = flags.part === 'train' ? 'train' : 'held-out'
  const made: Case[] = []
  for (let seed = 0; made.length < count && seed < 40 * count; seed++) {
    const kind = KINDS[made.length % KINDS.length] as TurnKind
    const at = context(library, seed)
    const turn = at && makeTurn(kind, at, part)
    if (at === undefined || turn === undefined) continue
    const label = (id: string): string => at.lexicon.concept(id).label
    const before = kind === 'other' ? beforeOther(at) : undefined
    if (kind === 'other' && before === undefined) continue
    made.push({
      ...{ kind, question: turn.question, turn },
      ...(before === undefined ? {} : { before }),
      about: label(kind === 'absent' ? at.absent : kind === 'other' ? at.second : at.first),
      put: label(at.put),
    })
  }
  return made
}

/** "The other one" needs an answer that named two things. */
function beforeOther(at: TurnContext): DialogueTurn | undefined {
  const named = [at.first, at.second].map((id) => at.lexicon.concept(id))
  const turn = makeTurn('detect', at, 'train')
  const [one, two] = named
  if (turn === undefined || one === undefined || two === undefined) return undefined
  const caption = `${one.label} . ${two.label}`
  const [action] = turn.actions
  return {
    ...turn,
    question: `Where are the ${one.label} and the ${two.label}?`,
    actions: [{ API_name: 'grounding_dino', API_params: { ...action?.API_params, caption } }],
    answer: `I see the ${one.label} and the ${two.label}.`,
  }
}

const dict = (value: Readonly<Record<string, unknown>>): PythonDict =>
  new Map(Object.entries(value)) as PythonDict

function conversation({ before, question }: Case): Conversation {
  const turns: ChatTurn[] = []
  if (before !== undefined) {
    const actions = before.actions.map(({ API_name, API_params }) => ({
      ...{ name: API_name, params: dict(API_params) },
    }))
    const run = { notes: [], run: 'bench' }
    turns.push({ role: 'user', text: before.question, pictures: ['picture1'] })
    turns.push({ role: 'assistant', thoughts: '', actions, value: before.announce, ...run })
    const outcomes = actions.map((action) => ({
      ...{ action, picture: 'picture1', made: [] },
      result: { reply: dict(before.result ?? {}) },
    }))
    turns.push({ role: 'results', outcomes, run: 'bench' })
    turns.push({ role: 'assistant', thoughts: '', actions: [], value: before.answer, ...run })
  }
  turns.push({ role: 'user', text: question, pictures: before === undefined ? ['picture1'] : [] })
  return { ...newConversation('bench'), turns }
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\b(?:the|an?)\b/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function textOf(value: PythonValue | undefined): string {
  return typeof value === 'string' ? plain(value) : ''
}

function numbersOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)) ?? ''
  )
    .replace(/[^\d.,]/g, '')
    .replace(/,+/g, ',')
}

/** Right skill, and the arguments that the question gives: what is meant, what to put, where. */
function isRight(one: Case, actions: readonly Action[]): { skill: boolean; all: boolean } {
  const wanted = one.turn.actions[0]
  const ours = actions.find(({ name }) => name === OURS[one.kind])
  if (ours !== undefined) return { skill: true, all: replaceFits(one, ours) }
  const found = actions.find(({ name }) => nameOf(name) === nameOf(wanted?.API_name ?? ''))
  if (wanted === undefined || found === undefined) return { skill: false, all: false }
  const { caption, prompt, points, boxes } = wanted.API_params as Record<string, unknown>
  const about = plain(one.about)
  const checks = [
    caption === undefined || textOf(found.params.get('caption')) === about,
    points === undefined || numbersOf(found.params.get('points')) === numbersOf(points),
    boxes === undefined || numbersOf(found.params.get('boxes')) === numbersOf(boxes),
    prompt === undefined || promptFits(one, textOf(found.params.get('prompt')), about),
  ]
  return { skill: true, all: checks.every(Boolean) }
}

function replaceFits({ kind, about, put }: Case, { params }: Action): boolean {
  const prompt = textOf(params.get('prompt'))
  const fits = kind === 'inpaint' ? prompt === 'background' : prompt === plain(put)
  return fits && textOf(params.get('object')) === plain(about)
}

function promptFits({ kind, put }: Case, prompt: string, about: string): boolean {
  if (kind === 'edit') return prompt.includes(about) && prompt.includes(plain(put))
  return kind === 'inpaint' || prompt.includes(about)
}

const chat = analogyChat({
  pool: memoryDemonstrations(startDialogues()),
  vocabulary: [...library.lexicon.concepts.values()].map(({ label }) => label),
})

const rows: { readonly kind: TurnKind; readonly skill: boolean; readonly all: boolean }[] = []
let shown = Number(flags.show)
for (const one of cases(Number(flags.count))) {
  let actions: readonly Action[] = []
  const request = { conversation: conversation(one), skills: SKILLS }
  for await (const part of chat.reply(request)) {
    if (part.type === 'turn') {
      actions = part.turn.actions.flatMap((one) => ('action' in one ? [one.action] : []))
    }
  }
  const right = isRight(one, actions)
  rows.push({ kind: one.kind, ...right })
  if (!right.all && shown-- > 0) {
    const said = actions.map(({ name, params }) => `${name} ${JSON.stringify([...params])}`)
    console.log(
      `${one.kind}: ${one.question}\n   wanted ${JSON.stringify(one.turn.actions)}\n   got ${said.join('; ')}`,
    )
  }
}
const share = (list: readonly boolean[]): string =>
  `${((100 * list.filter(Boolean).length) / Math.max(1, list.length)).toFixed(1)} %`
console.log(`\n${rows.length} questions, ${flags.part} wordings\n`)
console.log('| asks for | questions | right skill | right skill and arguments |\n|---|---|---|---|')
for (const kind of KINDS) {
  const mine = rows.filter((row) => row.kind === kind)
  console.log(
    `| ${kind} | ${mine.length} | ${share(mine.map((row) => row.skill))} | ${share(mine.map((row) => row.all))} |`,
  )
}
const interval = bootstrapInterval(rows.map((row) => Number(row.all)))
console.log(
  `| all | ${rows.length} | ${share(rows.map((row) => row.skill))} | ${share(rows.map((row) => row.all))} |\n\n95 %: ${JSON.stringify(interval)}`,
)
