import { writeFile } from 'node:fs/promises'
import { openLexicon } from '../lexicon.ts'
import { miniSprites } from '../mini/mini-sprites.ts'
import { streamOf } from '../stream.ts'
import type { Sprite } from '../types.ts'
import { ALL_TYPES } from './all-types.ts'
import { createDesk } from './desk.ts'
import { createLibrary } from './library.ts'
import { fillWording, wordingsOf } from './wording.ts'

// `npm run world:demonstrations`: right programs for each training wording, known concepts only. The
// frozen system plans by these and by the start demonstrations; held-out wordings are never among them.
// A question and its program stand before any picture is painted, so that none is.
/** Ways of filling one wording: with a relation to the left or above, a colour, one thing or both. */
const MOST_FORMS = 4
const TRIES = 24
const FILLINGS =
  /\b(?:both|left of|right of|above|below|higher up than|under|red|orange|yellow|green|blue|purple|pink|brown|black|white|grey)\b/g

const [lexicon, mini] = await Promise.all([openLexicon(), miniSprites()])
const sprites = [...lexicon.concepts.keys()].map((concept, i): Sprite => {
  const drawn = mini[i % mini.length] as Sprite // the set is not empty
  return { ...drawn, id: `noto/${concept}`, concept, style: 'noto', drawing: `noto/${concept}` }
})
const library = createLibrary(lexicon, sprites)
const stream = streamOf(8, 'words/demonstrations')
const rows: object[] = []
for (const type of ALL_TYPES.filter(({ family }) => family !== 'dialogue')) {
  const training = wordingsOf(type.form, type.wordings).filter(({ part }) => part === 'train')
  for (const { id: wording, text } of training) {
    const forms = new Set<string>()
    for (let n = 0; n < TRIES && forms.size < MOST_FORMS; n++) {
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
const url = new URL('../demonstrations.json', import.meta.url)
await writeFile(url, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)
console.log(rows.length)
