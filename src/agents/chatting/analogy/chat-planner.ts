import { isFault } from '../../../base/index.ts'
import type { Abortable } from '../../../base/index.ts'
import type { DemonstrationPool } from '../../../memory/index.ts'
import type { Action, PythonValue } from '../../../tools/index.ts'
import { createAnalogyPlanner } from '../../programs/index.ts'
import { cuedProgram, wayOf } from './cues.ts'
import type { Cued } from './cues.ts'
import { directPlan } from './direct.ts'
import { CHAT_FAMILY, CHAT_SIGNATURES } from './language.ts'
import { indexDialogues, nearestProgram } from './nearest-dialogue.ts'
import type { DialogueIndex } from './nearest-dialogue.ts'
import { narrowed } from './narrow.ts'
import { planOf } from './plan.ts'
import type { ChatPlan } from './plan.ts'

/** Finds what to do for a question, by dialogues that were recorded. */
export interface ChatPlanner {
  /** Undefined when nothing recorded is like it and it is no question about a picture. */
  plan(question: string, options?: Abortable): Promise<ChatPlan | undefined>
}

const QUESTION =
  /\?\s*$|^\s*(?:what|which|who|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|have)\b/i

/**
 * Plans a turn by analogy: first by alignment with recorded dialogues, as programs are planned; then by
 * the nearest in words; what is a question about the picture still goes to question answering as it is.
 *
 * @source clova §2 "Without an LLM", applied to dialogues
 */
export function createChatPlanner(
  pool: DemonstrationPool,
  vocabulary: Iterable<string> = [],
): ChatPlanner {
  const known = new Set(vocabulary)
  const planner = createAnalogyPlanner({ pool, signatures: CHAT_SIGNATURES })
  let version = NaN
  let index: DialogueIndex | undefined
  const indexed = async (): Promise<DialogueIndex> => {
    const now = await pool.version()
    if (index !== undefined && now === version) return index
    const all = await pool.list(CHAT_FAMILY.name)
    index = indexDialogues(all.filter((one) => one.verdict === 'right' && !one.unverified))
    version = now
    return index
  }
  return {
    plan: async (question, options = {}) => {
      const plan = await found(question, options)
      return plan === undefined || known.size === 0 ? plan : withKnown(plan, known)
    },
  }
  async function found(question: string, options: Abortable): Promise<ChatPlan | undefined> {
    const direct = directPlan(question)
    if (direct !== undefined) return direct
    const cued = cuedProgram(question)
    const aligned = await byAlignment(planner, question, options)
    if (aligned !== undefined && agrees(aligned, cued)) return aligned.plan
    if (cued?.program !== undefined) {
      const why = `Its words ask for ${cued.way.toLowerCase().replaceAll('_', ' ')}.`
      return planOf(cued.program, question, { why, confidence: 0.5, dialogues: [] })
    }
    const near = nearestProgram(await indexed(), question)
    if (near !== undefined) {
      const { program, similarity, dialogue } = near
      const why = `In words it is nearest to "${dialogue.instruction}".`
      return planOf(program, question, { why, confidence: similarity, dialogues: [dialogue.id] })
    }
    return QUESTION.test(question) ? wholeQuestion(question) : undefined
  }
}

/** The plan with what it names cut down to known things. */
function withKnown(plan: ChatPlan, known: ReadonlySet<string>): ChatPlan {
  const narrow = (action: Action): Action => {
    const key = ['caption', 'object'].find((one) => action.params.has(one))
    const text = key === undefined ? undefined : action.params.get(key)
    if (key === undefined || typeof text !== 'string') return action
    const things = narrowed(text.split(' . '), known)
    return { ...action, params: new Map([...action.params, [key, things.join(' . ')]]) }
  }
  return { ...plan, stages: plan.stages.map((stage) => stage.map(narrow)) }
}

/** An alignment that is as good as word for word, or that does what the words of the question ask for. */
const SURE = 0.985
const GOOD = 0.8

interface Aligned {
  readonly plan: ChatPlan
  readonly way: string
}

function agrees({ plan, way }: Aligned, cued: Cued | undefined): boolean {
  if (plan.confidence >= SURE || cued === undefined) return true
  // Two things at once are understood by alignment only.
  const composed = plan.stages.flat().length > 1 || way === 'REPLACE'
  return (composed || way === cued.way) && (plan.confidence >= GOOD || cued.program === undefined)
}

async function byAlignment(
  planner: ReturnType<typeof createAnalogyPlanner>,
  question: string,
  options: Abortable,
): Promise<Aligned | undefined> {
  try {
    const request = { family: CHAT_FAMILY, instruction: question }
    const found = (await planner.plan(request, { ...options, limit: 5 })).map((one) => {
      const { program, confidence, explanation, demonstrations } = one
      const origin = { why: explanation, confidence, dialogues: demonstrations }
      return { plan: planOf(program, question, origin), way: wayOf(program) }
    })
    // Questions about things align with nearly anything: they come after what is as near, and what is
    // no question is none of theirs.
    const asks = ({ way }: Aligned): number => (way === 'ASK' ? 1 : 0)
    return found
      .filter((one) => asks(one) === 0 || QUESTION.test(question))
      .toSorted((a, b) => b.plan.confidence - a.plan.confidence || asks(a) - asks(b))[0]
  } catch (error) {
    if (isFault(error) && error.code === 'E_NOT_UNDERSTOOD') return undefined
    throw error
  }
}

function wholeQuestion(question: string): ChatPlan {
  return {
    stages: [[{ name: 'vqa', params: new Map<string, PythonValue>([['question', question]]) }]],
    telling: 'text',
    why: 'It is like no recorded dialogue, so the whole question is put to question answering.',
    confidence: 0,
    dialogues: [],
  }
}
