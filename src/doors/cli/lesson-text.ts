import type { LessonDetail } from '../../app/index.ts'
import type { Paint } from './style.ts'

type Lesson = LessonDetail['lesson']

/** A lesson as one line. */
export function lessonLine(lesson: Lesson, paint: Paint): string {
  const { id, version, tool, concept, status } = lesson
  const colours = { applied: paint.green, 'kept-out': paint.red } as Readonly<
    Record<string, (text: string) => string>
  >
  const what = concept === null ? tool : `${tool} "${concept}"`
  return `${id}  v${version} ${what}  ${(colours[status] ?? paint.dim)(status)}`
}

/** What a lesson did in the proof and the dry run, and why it was kept out. */
export function effectText({ effect, reason, validation }: Lesson): readonly string[] {
  const lines: string[] = []
  const {
    proof,
    fixed = [],
    broken = [],
    changed = [],
    unchanged = 0,
  } = (effect ?? {}) as {
    readonly proof?: string | null
    readonly fixed?: readonly unknown[]
    readonly broken?: readonly unknown[]
    readonly changed?: readonly unknown[]
    readonly unchanged?: number
  }
  const {
    positives = 0,
    negatives = 0,
    recognised,
    discarded = [],
  } = (validation ?? {}) as {
    readonly positives?: number
    readonly negatives?: number
    readonly recognised?: number
    readonly discarded?: readonly string[]
  }
  if (positives + negatives > 0) {
    const held =
      recognised === undefined ? '' : `; ${recognised} of ${positives} recognised by the others`
    lines.push(`  ${positives} examples, ${negatives} counter-examples${held}`)
  }
  if (discarded.length > 0) {
    lines.push(`  ${discarded.length} left out: nothing else resembles them.`)
  }
  if (proof === 'right') lines.push('  Your case comes out right now.')
  if (proof === 'wrong') lines.push('  Your case is still wrong.')
  const looked = fixed.length + broken.length + changed.length + unchanged
  if (looked > 0) {
    lines.push(
      `  Of ${looked} earlier answers: ${fixed.length} fixed, ${broken.length} broken, ${changed.length} changed.`,
    )
  }
  if (reason !== undefined) lines.push(`  Kept out: ${reason} (--insist applies it all the same)`)
  return lines
}
