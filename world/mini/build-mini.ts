import { writeAtomic } from '../../src/base/index.ts'
import { readConcepts } from '../concepts.ts'
import { loadSprites } from '../sprites/load-sprites.ts'
import { writeSprites } from '../sprites/sprite-file.ts'

// Picks the committed mini set anew: `node world/mini/build-mini.ts CACHE`. Twenty known concepts in two
// permissive styles; the golden hashes of the tests change with it.
const NAMES =
  'owl,eagle,dog,elephant,whale,anchor,bell,umbrella,chair,key,banana,pear,violin,drum,bus,airplane,tent,balloon,candle,spoon'.split(
    ',',
  )

const known = new Map((await readConcepts()).map((one) => [one.id, one]))
for (const name of NAMES) {
  if (known.get(name)?.split !== 'known') throw new Error(`${name} is no known concept.`)
}
const sprites = await loadSprites(['noto', 'fluent-flat'], process.argv[2] ?? '.cache/sprites')
const chosen = NAMES.flatMap((name) =>
  ['noto', 'fluent-flat'].flatMap((style) =>
    sprites.filter((one) => one.concept === name && one.style === style).slice(0, 1),
  ),
)
if (chosen.length !== 40) throw new Error(`Expected 40 drawings but found ${chosen.length}.`)
await writeAtomic(new URL('mini.bin', import.meta.url).pathname, writeSprites(chosen))
