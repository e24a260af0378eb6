import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Unavailable } from '../../../base/index.ts'

/** The starter models that tools may use; the judge of edits is none of them. */
export type StarterModel = 'text' | 'encoder' | 'detector' | 'segmenter' | 'vqa' | 'inpaint'

/** What a card tells to machines; `card.md` beside it tells it to people. */
export interface StarterCard {
  readonly name: string
  readonly version: string
  /** SHA-256 by file. */
  readonly files: Readonly<Record<string, string>>
  /** Logits are cosines times this. */
  readonly scale?: number
  /** Known names, in the order of the outputs; `ids` are those of the concepts. */
  readonly names?: readonly string[]
  readonly ids?: readonly string[]
  /** Sampling steps. */
  readonly steps?: number
  readonly limits?: readonly string[]
  readonly figures?: Readonly<Record<string, unknown>>
}

/** From the sources and from what they are built to. */
const PLACES = ['../../../../models/starter/', '../../../../../models/starter/']

/** The folder of the shipped starter models, or undefined when it is not there. */
export function findStarterFolder(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((folder) =>
    existsSync(join(folder, 'subwords.json')),
  )
}

/** @throws Unavailable `E_STARTER_MODEL` when the models are not there */
export function starterFolder(): string {
  const folder = findStarterFolder()
  if (folder !== undefined) return folder
  throw missing('models/starter')
}

/** @throws Unavailable `E_STARTER_MODEL` */
export async function readCard(folder: string, model: StarterModel): Promise<StarterCard> {
  try {
    return JSON.parse(await readFile(join(folder, model, 'card.json'), 'utf8')) as StarterCard
  } catch (cause) {
    throw missing(model, cause)
  }
}

function missing(what: string, cause?: unknown): Unavailable {
  return new Unavailable('E_STARTER_MODEL', `The starter model ${what} is not installed.`, {
    fields: { model: what },
    cure: 'Install the package again, or train it: "npm run train:encoder" and so on.',
    ...(cause === undefined ? {} : { cause }),
  })
}
