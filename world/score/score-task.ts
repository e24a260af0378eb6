import type { Abortable } from '../../src/base/index.ts'
import type { Image } from '../../src/image/index.ts'
import { answerForm, answerText } from '../../src/program/index.ts'
import type { Value } from '../../src/program/index.ts'
import { normaliseName } from '../../src/tools/index.ts'
import { judgeEdit } from '../judge/judge-edit.ts'
import type { Check } from '../judge/judge-edit.ts'
import type { Judge } from '../judge/judge.ts'
import type { Lexicon } from '../lexicon.ts'
import { namesByClass } from '../naming.ts'
import { languageFamily } from '../tasks/run-on-truth.ts'
import type { Task } from '../tasks/task.ts'
import { scoreTags } from './score-tags.ts'
import type { TagScore } from './score-tags.ts'

/** Whether a task came out right. */
export interface TaskScore {
  /** Exactly; for tags: every tag, and none too many. */
  readonly strict: boolean
  /** A near name by WordNet counts too. */
  readonly byClass: boolean
  readonly tags?: TagScore
  /** The rules of the judge of edits. */
  readonly checks?: readonly Check[]
}

export interface ScoreMeans {
  readonly lexicon: Lexicon
  readonly judge: Judge
}

/** Scores the value of a run; no value is wrong. */
export async function scoreTask(
  task: Task,
  given: { readonly value: Value | undefined; readonly before: Image | undefined },
  means: ScoreMeans,
  options: Abortable = {},
): Promise<TaskScore> {
  const answer =
    given.value === undefined ? undefined : answerForm(languageFamily(task.family), given.value)
  const { lexicon } = means
  if (task.family === 'tagging') {
    const objects = answer?.form === 'tags' ? answer.objects : []
    const tags = scoreTags(lexicon, task.objects ?? [], objects)
    const whole = ({ misses, surplus }: TagScore['strict']): boolean => misses + surplus === 0
    const done = answer !== undefined
    return { strict: done && whole(tags.strict), byClass: done && whole(tags.byClass), tags }
  }
  if (task.family === 'imgedit') {
    const [scene] = task.scenes
    const { before } = given
    if (answer?.form !== 'image' || scene === undefined || before === undefined) return WRONG
    const edited = { before, after: answer.image, scene: scene.graph, edits: task.edits ?? [] }
    const { right, rightByClass, checks } = await judgeEdit(edited, means, options)
    return { strict: right, byClass: rightByClass, checks }
  }
  const text = answer === undefined ? undefined : answerText(answer)
  if (text === undefined) return WRONG
  const strict = isRight(lexicon, task, text)
  return { strict, byClass: strict || isNear(lexicon, task, text) }
}

const WRONG: TaskScore = { strict: false, byClass: false }

/** Equal after normalisation to the answer, an accepted one, or a synonym of the concept that it is. */
function isRight(lexicon: Lexicon, { answer, accepted = [], family }: Task, text: string): boolean {
  const said = plain(text)
  if ([answer, ...accepted].some((one) => one !== undefined && plain(one) === said)) return true
  if (family !== 'gqa' || answer === undefined) return false
  const [truth, named] = [lexicon.named(answer), lexicon.named(text)]
  return truth !== undefined && truth === named
}

function isNear(lexicon: Lexicon, { answer, family }: Task, text: string): boolean {
  const truth = answer === undefined || family !== 'gqa' ? undefined : lexicon.named(answer)
  return truth !== undefined && namesByClass(lexicon, truth.id, text)
}

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const SPELT: Readonly<Record<string, string>> = {
  gray: 'grey',
  true: 'true',
  ...Object.fromEntries(NUMBERS.map((word, number) => [word, String(number)])),
}

/** Article, case, blanks and plural set aside; numbers in digits. */
function plain(text: string): string {
  const name = normaliseName(
    text
      .trim()
      .toLowerCase()
      .replace(/[.!?]$/, ''),
  )
  return SPELT[name] ?? name
}
