import { z } from 'zod'
import type { FoundBox } from '../../tools/index.ts'
import { askModel } from './ask.ts'
import type { Desk } from './ask.ts'
import { visualQuestion } from './feasible.ts'
import type { Situation } from './feasible.ts'
import { DATA_RULE, fenceData } from './outside-text.ts'
import type { Choice } from './planner.ts'
import { selectByPlace } from './select-by-place.ts'
import { contentWords } from './similar.ts'

const reply = z.object({
  why: z.string().optional().describe('one short sentence: what speaks for it'),
  id: z.string().describe('the id of the object'),
})

const SYSTEM = `You choose which object of a picture a question is about.
Explain in a sentence, then name the id of the object that is most relevant. Indirect evidence counts: what lives or stands only in one region is a clue to a place although no place is named.
${DATA_RULE}`

/**
 * Which of the objects that are left to look at: the only one, the selector's choice, or the one whose name
 * fits the question (else the best score).
 *
 * @source AVIS appendix E (object selection); avis §5
 */
export async function selectObject(
  at: Situation,
  left: readonly FoundBox[],
  parts: { readonly desk?: Desk | undefined; readonly nonce: string; readonly asked?: string },
): Promise<Pick<Choice, 'action' | 'by' | 'why' | 'repairs' | 'calls' | 'degraded'>> {
  const done = (id: string) => ({ tool: 'select_object' as const, args: { id } })
  const asked = left.find((one) => one.id === parts.asked)
  const only = left.length === 1 ? left[0] : asked
  if (only !== undefined) {
    const why = left.length === 1 ? 'the only object left' : 'named by the planner'
    return { action: done(only.id), by: 'selector', why, repairs: [], calls: [] }
  }
  const ids = left.map((one) => one.id)
  if (parts.desk !== undefined) {
    const { value, problems, calls } = await askModel(parts.desk, {
      ...{ purpose: 'select', system: SYSTEM, schema: reply, maxTokens: 200 },
      user: promptOf(at, left, parts.nonce),
      check: (one) =>
        ids.includes(one.id) ? undefined : `${one.id} is not among ${ids.join(', ')}`,
    })
    if (value !== undefined) {
      const why = value.why?.slice(0, 200) ?? ''
      return { action: done(value.id), by: 'selector', why, repairs: problems, calls }
    }
    const { box, why } = byRule(at, left)
    return { action: done(box.id), by: 'fallback', why, repairs: problems, calls }
  }
  const { box, why } = byRule(at, left)
  const plain = { repairs: [], calls: [], degraded: true }
  return { action: done(box.id), by: 'fallback', why, ...plain }
}

/** By the place that the question tells, else by name and score. */
function byRule(
  at: Situation,
  left: readonly FoundBox[],
): { readonly box: FoundBox; readonly why: string } {
  const placed = selectByPlace(visualQuestion(at), at.boxes, left)
  if (placed !== undefined) return placed
  const box = byName(at, left)
  return { box, why: reasonFor(box) }
}

const reasonFor = ({ label, score }: FoundBox): string => `${label}, score ${score.toFixed(2)}`

function byName(at: Situation, left: readonly FoundBox[]): FoundBox {
  const asked = new Set(contentWords(visualQuestion(at)))
  const fits = (one: FoundBox): number =>
    Number(contentWords(one.label).some((word) => asked.has(word)))
  const best = left.toSorted((a, b) => fits(b) - fits(a) || b.score - a.score)[0]
  if (best === undefined) throw new TypeError('choosing needs an object')
  return best
}

function promptOf(at: Situation, left: readonly FoundBox[], nonce: string): string {
  const { width, height } = at.picture
  const lines = left.map(({ id, label, score, box }) => {
    const [x1, y1, x2, y2] = box
    const share = Math.round((100 * (x2 - x1) * (y2 - y1)) / (width * height))
    const across =
      (x1 + x2) / 2 < width / 3 ? 'left' : (x1 + x2) / 2 > (2 * width) / 3 ? 'right' : 'middle'
    const name = fenceData(label, { id, src: 'detect', nonce })
    return `${id}: ${name}, score ${score.toFixed(2)}, ${across}, ${share} % of the picture`
  })
  const claims = at.memory.claims.map((one) =>
    fenceData(one.text, { id: one.id, src: one.tool, nonce }),
  )
  return [`Query: ${visualQuestion(at)}`, 'Objects:', ...lines, 'Known so far:', ...claims].join(
    '\n',
  )
}
