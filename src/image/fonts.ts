import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { UserFault } from '../base/index.ts'
import { loadCanvas } from './native.ts'

/** Covers Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and signs. */
const BASE = { family: 'Pupil Base', file: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf' }

/**
 * Han and kana, then Hangul: packages that split their font by ranges of characters. Only the pieces
 * that a text needs are loaded (5 ms each).
 */
const SPLIT = ['@fontsource-variable/noto-sans-sc', '@fontsource-variable/noto-sans-kr']

interface Piece {
  readonly family: string
  readonly file: string
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

const require = createRequire(import.meta.url)
const loaded = new Set<string>()
const added: string[] = []
let pieces: readonly Piece[] | undefined

/**
 * The CSS family list to write these texts with, its fonts loaded: shipped ones first, then those
 * that were added. The system's own fonts are not asked, so labels look the same everywhere.
 */
export async function fontsFor(texts: Iterable<string>): Promise<string> {
  const { GlobalFonts } = await loadCanvas()
  const use = ({ family, file }: Pick<Piece, 'family' | 'file'>): string => {
    if (!loaded.has(family)) {
      GlobalFonts.register(readFileSync(require.resolve(file)), family)
      loaded.add(family)
    }
    return `"${family}"`
  }
  const wide = new Set<number>()
  for (const text of texts) {
    // The base font has nearly everything below U+2E80.
    for (const char of text) if ((char.codePointAt(0) ?? 0) >= 0x2e80) wide.add(charCode(char))
  }
  const families = [use(BASE)]
  if (wide.size > 0) families.push(...piecesFor(wide).map(use))
  return [...families, ...added, 'sans-serif'].join(', ')
}

const charCode = (char: string): number => char.codePointAt(0) ?? 0

/** Every piece that claims a character: some claim more than they hold. */
function piecesFor(codes: ReadonlySet<number>): readonly Piece[] {
  pieces ??= SPLIT.flatMap(readPieces)
  return pieces.filter(({ ranges }) =>
    codes.values().some((code) => ranges.some(([from, to]) => code >= from && code <= to)),
  )
}

function readPieces(name: string): Piece[] {
  const table = require(`${name}/unicode.json`) as Record<string, string>
  const short = name.slice(name.indexOf('/') + 1)
  return Object.entries(table).map(([key, ranges]) => {
    const part = key.replaceAll(/[[\]]/g, '')
    return {
      family: `Pupil ${short} ${part}`,
      file: `${name}/files/${short}-${part}-wght-normal.woff2`,
      ranges: ranges.split(',').map(parseRange),
    }
  })
}

/** `U+4e00-4e10` or `U+3001`. */
function parseRange(text: string): readonly [number, number] {
  const [from = '', to = from] = text.trim().slice(2).split('-')
  return [parseInt(from, 16), parseInt(to, 16)]
}

/**
 * Adds a font for scripts that the shipped ones lack, for the life of the process.
 *
 * @param bytes  a TTF, OTF or WOFF2 file
 * @throws UserFault `E_FONT` when it is none
 */
export async function addFont(bytes: Uint8Array): Promise<void> {
  const { GlobalFonts } = await loadCanvas()
  const family = `Pupil added ${added.length + 1}`
  if (GlobalFonts.register(Buffer.from(bytes), family) === null) {
    throw new UserFault('E_FONT', 'The font cannot be read.', {
      fields: { bytes: bytes.length },
      cure: 'Give a TTF, OTF or WOFF2 file.',
    })
  }
  added.push(`"${family}"`)
}
