import type { Lexicon } from './lexicon.ts'
import { spriteHash } from './sprites/build-sprites.ts'
import { DRAWING_PACKAGES } from './sprites/packages.ts'
import type { Library } from './tasks/library.ts'
import type { Task } from './tasks/task.ts'
import { answerKind } from './tasks/text-only.ts'
import type { Style } from './types.ts'

export interface WorldStats {
  readonly concepts: { readonly known: number; readonly new: number }
  readonly groups: Readonly<Record<string, number>>
  readonly classes: readonly {
    readonly label: string
    readonly members: number
    readonly disputed: number
  }[]
  /** Drawings, concepts drawn and hash of each style at hand. */
  readonly styles: readonly StyleStats[]
  /** How many concepts have so many independent training drawings. */
  readonly independent: Readonly<Record<string, number>>
  readonly licences: readonly PackageNotice[]
}

export interface StyleStats {
  readonly style: Style
  readonly role: string
  readonly drawings: number
  readonly concepts: number
  readonly hash: string
}

/** What NOTICE has to say of a package of drawings. */
export interface PackageNotice {
  readonly package: string
  readonly version: string
  readonly author: string
  readonly licence: string
  readonly role: string
  readonly changes: string
}

/** The rows of NOTICE, of the packages that are dependencies; CI compares the file with them. */
export const DRAWING_NOTICES: readonly PackageNotice[] = DRAWING_PACKAGES.map(
  ({ name, version, author, licence, role }) => ({
    package: name,
    version,
    author,
    licence,
    role,
    changes: 'rasterised, recoloured, composed',
  }),
)

/** Counts by concept, style, drawing and split: `pupil world stats`. */
export function worldStats({ lexicon, sprites }: Library): WorldStats {
  const concepts = [...lexicon.concepts.values()]
  const count = (split: string): number => concepts.filter((one) => one.split === split).length
  const designers = independentDrawings(lexicon, sprites)
  const styles = DRAWING_PACKAGES.flatMap(({ style, role }): StyleStats[] => {
    const own = sprites.filter((one) => one.style === style)
    if (own.length === 0) return []
    const drawn = new Set(own.map(({ concept }) => concept)).size
    return [{ style, role, drawings: own.length, concepts: drawn, hash: spriteHash(own) }]
  })
  return {
    concepts: { known: count('known'), new: count('new') },
    groups: countBy(concepts.map(({ group }) => group)),
    classes: lexicon.classes.map(({ label, members, disputed }) => ({
      label,
      members: members.size,
      disputed: disputed.size,
    })),
    styles,
    independent: countBy([...designers.values()].map((n) => String(n))),
    licences: DRAWING_NOTICES,
  }
}

/** Independent training drawings of each concept: the Fluent variants count once. */
function independentDrawings(
  lexicon: Lexicon,
  sprites: Library['sprites'],
): ReadonlyMap<string, number> {
  const packages = new Map(DRAWING_PACKAGES.map((one) => [one.style, one]))
  const found = new Map([...lexicon.concepts.keys()].map((id) => [id, new Set<string>()]))
  for (const { concept, style } of sprites) {
    const source = packages.get(style)
    if (source?.role === 'train') found.get(concept)?.add(source.designer)
  }
  return new Map([...found].map(([id, designers]) => [id, designers.size]))
}

/** How the answers of tasks are spread, by kind of answer. */
export function answerBalance(
  tasks: readonly Task[],
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const kinds = Map.groupBy(tasks, (task) => answerKind(task) ?? 'none')
  return Object.fromEntries(
    [...kinds].map(([kind, all]) => [kind, countBy(all.map(({ answer }) => answer ?? ''))]),
  )
}

function countBy(items: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const item of [...items].sort()) counts[item] = (counts[item] ?? 0) + 1
  return counts
}
