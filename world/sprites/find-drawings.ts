import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserFault } from '../../src/base/index.ts'
import type { Concept } from '../concepts.ts'
import type { DrawingPackage } from './packages.ts'

/** The file of one drawing: SVG text, or the bytes of a picture file. */
export interface Drawing {
  readonly concept: string
  /** Code points joined by `-`, or the package's own name. */
  readonly key: string
  readonly source: { readonly svg: string } | { readonly path: string }
}

interface Iconify {
  readonly icons: Readonly<Record<string, { body: string; width?: number; height?: number }>>
  readonly aliases?: Readonly<Record<string, { parent: string }>>
  readonly width?: number
  readonly height?: number
}

const require = createRequire(import.meta.url)

/**
 * The drawings that a package has of the concepts, mapped by code points where it tells them, else by
 * the slug of the CLDR name.
 *
 * @throws UserFault `E_DRAWINGS` when the package is not installed
 */
export async function findDrawings(
  source: DrawingPackage,
  concepts: readonly Concept[],
): Promise<readonly Drawing[]> {
  const folder = packageFolder(source.name)
  if (source.form === 'files') return fileDrawings(folder, concepts)
  const icons = JSON.parse(await readFile(join(folder, 'icons.json'), 'utf8')) as Iconify
  const chars = JSON.parse(await readFile(join(folder, 'chars.json'), 'utf8')) as Record<
    string,
    string
  >
  return concepts.flatMap((concept) =>
    concept.codes.flatMap((code, i) => {
      const slug = chars[code] ?? slugOf(concept.cldr[i] ?? '', icons)
      const svg = slug === undefined ? undefined : svgOf(icons, slug)
      return svg === undefined ? [] : [{ concept: concept.id, key: code, source: { svg } }]
    }),
  )
}

function packageFolder(name: string): string {
  try {
    return dirname(require.resolve(`${name}/package.json`))
  } catch (cause) {
    throw new UserFault('E_DRAWINGS', `The drawings of ${name} are not installed.`, {
      cure: `Run "npm install" in the checkout, or "npm install ${name}".`,
      cause,
    })
  }
}

async function fileDrawings(folder: string, concepts: readonly Concept[]): Promise<Drawing[]> {
  const { readdir } = await import('node:fs/promises')
  const files = new Map(
    (await readdir(join(folder, 'assets'))).map((name) => [
      name.replace(/\.webp$/, '').replaceAll('-fe0f', ''),
      join(folder, 'assets', name),
    ]),
  )
  return concepts.flatMap((concept) =>
    concept.codes.flatMap((code) => {
      const path = files.get(code)
      return path === undefined ? [] : [{ concept: concept.id, key: code, source: { path } }]
    }),
  )
}

function slugOf(name: string, icons: Iconify): string | undefined {
  const slug = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f’'.]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
  if (slug in icons.icons || slug in (icons.aliases ?? {})) return slug
  return squashedNames(icons).get(slug.replaceAll('-', ''))
}

const squashed = new WeakMap<Iconify, ReadonlyMap<string, string>>()

function squashedNames(icons: Iconify): ReadonlyMap<string, string> {
  const known = squashed.get(icons)
  if (known !== undefined) return known
  const names = [...Object.keys(icons.icons), ...Object.keys(icons.aliases ?? {})]
  const made = new Map(names.map((name) => [name.replaceAll('-', ''), name]))
  squashed.set(icons, made)
  return made
}

function svgOf(icons: Iconify, slug: string): string | undefined {
  const icon = icons.icons[slug] ?? icons.icons[icons.aliases?.[slug]?.parent ?? '']
  if (icon === undefined) return undefined
  const width = icon.width ?? icons.width ?? 16
  const height = icon.height ?? icons.height ?? 16
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${icon.body}</svg>`
}
