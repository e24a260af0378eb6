import { writeFile } from 'node:fs/promises'
import { openLexicon } from '../lexicon.ts'
import { miniSprites } from '../mini/mini-sprites.ts'
import { streamOf } from '../stream.ts'
import type { Sprite } from '../types.ts'
import { ALL_TYPES } from './all-types.ts'
import { createDesk } from './desk.ts'
import { createLibrary } from './library.ts'
import type { QuestionType } from './question.ts'
import { fillWording, wordingsOf } from './wording.ts'
import said from '../paraphrases.json' with { type: 'json' }

// `npm run world:demonstrations`: right programs for each training wording, known concepts only. The
// frozen system plans by these and by the start demonstrations; held-out wordings are never among them.
// `paraphrases.json` has further ways of saying what the training wordings say, written without a look at
// the held-out ones; should one of them be equal to one of these, it is left out here.
// A question and its program stand before any picture is painted, so that none is.
/** Ways of filling one wording: with a relation to the left or above, a colour, one thing or both. */
const MOST_FORMS = 4
const TRIES = 24
const KIND_TRIES = 600

interface Row {
  readonly family: string
  readonly wording: string
  readonly instruction: string
  readonly program: readonly string[]
}

interface Taught {
  readonly id: string
  readonly text: string
  /** Ways of filling it. */
  readonly forms: number
}

const FILLINGS =
  /\b(?:both|left of|right of|above|below|higher up than|under|red|orange|yellow|green|blue|purple|pink|brown|black|white|grey)\b/g

const [lexicon, mini] = await Promise.all([openLexicon(), miniSprites()])
const sprites = [...lexicon.concepts.keys()].map((concept, i): Sprite => {
  const drawn = mini[i % mini.length] as Sprite // the set is not empty
  return { ...drawn, id: `noto/${concept}`, concept, style: 'noto', drawing: `noto/${concept}` }
})
const library = createLibrary(lexicon, sprites)
const stream = streamOf(8, 'words/demonstrations')
const rows: Row[] = []
const paraphrases: Readonly<Record<string, readonly string[]>> = said
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z{}0-9]+/g, ' ')
    .trim()

/** The training wordings of a type and what was written after them. */
function taught({ form, wordings }: QuestionType): readonly Taught[] {
  const split = wordingsOf(form, wordings)
  const training = split.filter(({ part }) => part === 'train')
  const known = new Set(split.map(({ text }) => plain(text)))
  const further = (paraphrases[form] ?? []).flatMap((text, i) =>
    known.has(plain(text)) ? [] : [{ id: `${form}~${i}`, text, forms: 1 }],
  )
  return [...training.map(({ id, text }) => ({ id, text, forms: MOST_FORMS })), ...further]
}

for (const type of ALL_TYPES.filter(({ family }) => family !== 'dialogue')) {
  for (const { id: wording, text, forms: most } of taught(type)) {
    const forms = new Set<string>()
    for (let n = 0; n < TRIES && forms.size < most; n++) {
      const asked = type.ask(createDesk(library, ['noto'], stream, undefined))
      if (asked === undefined) continue
      const { program, slots } = asked
      const instruction = fillWording(text, slots)
      const steps = program.replaceAll(/'[^']*'|"[^"]*"/g, '…')
      const colours = (instruction.match(FILLINGS) ?? []).map((word) =>
        /^(?:both|left|right|above|below|higher|under)/.test(word) ? word : 'colour',
      )
      const form = `${steps} ${colours.join()}`
      if (forms.has(form)) continue
      forms.add(form)
      rows.push({ family: type.family, wording, instruction, program: program.split('\n') })
    }
  }
}
// That a word is the name of a kind, no wording tells: each askable kind is shown once.
const kinds = ALL_TYPES.find(({ form }) => form === 'tagging/kind')
const shown = new Set(rows.flatMap((row) => kindIn(row)))
for (let n = 0; kinds !== undefined && n < KIND_TRIES; n++) {
  const asked = kinds.ask(createDesk(library, ['noto'], stream, undefined))
  if (asked === undefined) continue
  const { id: wording, text } = stream.pick(
    wordingsOf(kinds.form, kinds.wordings).filter(({ part }) => part === 'train'),
  )
  const instruction = fillWording(text, asked.slots)
  const row = { family: kinds.family, wording, instruction, program: asked.program.split('\n') }
  if (kindIn(row).every((kind) => shown.has(kind))) continue
  for (const kind of kindIn(row)) shown.add(kind)
  rows.push(row)
}

function kindIn(row: Row): readonly string[] {
  return row.family === 'tagging'
    ? [...row.program.join().matchAll(/'kinds of ([^']+)'/g)].map(([, kind = '']) => kind)
    : []
}

const url = new URL('../demonstrations.json', import.meta.url)
await writeFile(url, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)
console.log(rows.length)
