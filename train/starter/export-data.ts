import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readClasses, readConcepts } from '../../world/concepts.ts'
import { paintScene } from '../../world/scene.ts'
import { sceneTruth } from '../../world/truth.ts'
import { DEVELOPMENT_STYLE, loadSprites, TRAIN_STYLES } from '../../world/sprites/load-sprites.ts'
import { spriteHash } from '../../world/sprites/build-sprites.ts'
import type { Sprite } from '../../world/types.ts'

// Writes what the training scripts read: `node train/starter/export-data.ts FOLDER [scenes]`.
// Known concepts and training styles only; the development style goes to files named `dev-…`, which
// are measured on and never trained on.
const folder = process.argv[2] ?? '.cache/train'
const trainScenes = Number(process.argv[3] ?? 20000)
await mkdir(folder, { recursive: true })

const concepts = await readConcepts()
const known = concepts.filter(({ split }) => split === 'known')
const knownIds = new Set(known.map(({ id }) => id))
const sprites = await loadSprites([...TRAIN_STYLES, DEVELOPMENT_STYLE], join(folder, 'sprites'))
const training = sprites.filter((s) => s.style !== DEVELOPMENT_STYLE && knownIds.has(s.concept))
const taught = sprites.filter((s) => s.style !== DEVELOPMENT_STYLE && !knownIds.has(s.concept))
const development = sprites.filter((s) => s.style === DEVELOPMENT_STYLE)

await writeFile(
  join(folder, 'names.json'),
  JSON.stringify({
    spriteHash: spriteHash(training),
    concepts: known.map(({ id, label, article, plural, synonyms, group, tint }) => ({
      ...{ id, label, article, plural, synonyms, group, tint },
    })),
    // Only the judge and the measurements may read these; no training text holds them.
    heldOut: concepts
      .filter(({ split }) => split === 'new')
      .map(({ id, label, article, plural }) => ({ id, label, article, plural })),
    // Only classes with two known members or more, and only their known members.
    classes: (await readClasses())
      .map((one) => ({ ...one, members: one.members.filter((id) => knownIds.has(id)) }))
      .filter(({ members }) => members.length >= 2),
  }),
)
await writeSpriteSheet('train-sprites', training)
await writeSpriteSheet('new-sprites', taught)
await writeSpriteSheet('dev-sprites', development)
await writeScenes('train-scenes', training, trainScenes, 0)
await writeScenes('dev-scenes', development, 600, 1_000_000)

/** Sprites centred on 128×128 RGBA, one after another, with a list of what they are. */
async function writeSpriteSheet(name: string, set: readonly Sprite[]): Promise<void> {
  const bytes = new Uint8Array(set.length * 128 * 128 * 4)
  for (const [i, { width, height, rgba }] of set.entries()) {
    const left = (128 - width) >> 1
    const top = (128 - height) >> 1
    for (let y = 0; y < height; y++) {
      const to = ((i * 128 + top + y) * 128 + left) * 4
      bytes.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), to)
    }
  }
  await writeFile(join(folder, `${name}.rgba`), bytes)
  const list = set.map(({ concept, style, drawing, width, height }) => ({
    ...{ concept, style, drawing, width, height },
  }))
  await writeFile(join(folder, `${name}.json`), JSON.stringify(list))
}

/** Scenes of 256×256 RGB with the visible box and the concept of each object. */
async function writeScenes(
  name: string,
  set: readonly Sprite[],
  count: number,
  firstSeed: number,
): Promise<void> {
  const tintable = new Set(known.filter(({ tint }) => tint).map(({ id }) => id))
  const { open } = await import('node:fs/promises')
  const pixels = await open(join(folder, `${name}.rgb`), 'w')
  const masks = await open(join(folder, `${name}.top`), 'w')
  const list: object[] = []
  for (let i = 0; i < count; i++) {
    const scene = paintScene(firstSeed + i, { sprites: set, tintable })
    await pixels.write(scene.rgb)
    await masks.write(scene.top)
    const { objects } = sceneTruth(scene, { sprites: '', synset: () => '' })
    list.push(
      objects.map(({ concept, tint, colour, size, area, box }) => ({
        ...{ concept, tint, colour, size, area, box },
      })),
    )
    if (i % 2000 === 0) console.error(`${name}: ${i} of ${count}`)
  }
  await pixels.close()
  await masks.close()
  await writeFile(join(folder, `${name}.json`), JSON.stringify(list))
}
