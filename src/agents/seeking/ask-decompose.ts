import { z } from 'zod'
import { askModel } from './ask.ts'
import type { Asked, Desk } from './ask.ts'
import { questionParts } from './decompose.ts'
import type { Decomposition } from './types.ts'

const reply = z.object({
  visual: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .describe(
      'what must be seen: "Which building is this?"; a list when several things are compared',
    ),
  knowledge: z
    .string()
    .describe(
      'what must be known, # in the place of what is seen (#1, #2 for several); \\# for the mark itself',
    ),
  entities: z.number().int().min(0).max(8).optional(),
  answerType: z.enum(['number', 'date', 'person', 'place', 'name', 'yesno', 'choice', 'text']),
  unit: z.string().nullable().optional().describe('the unit the question asks for, such as cm'),
  recency: z.boolean().optional().describe('true when it asks for what is current or latest'),
})

const SYSTEM = `You cut a question about a picture into two questions.
visual: which object, animal, building, food … is shown? null when the question names its subject itself.
knowledge: the question with # in the place of that thing. Just # when nothing else is asked.
Examples:
"How many elevators does this building have?" -> visual "Which building is this?", knowledge "How many elevators does # have?", answerType number
"Which fish is this?" -> visual "Which fish is this?", knowledge "#", answerType name
"What is the capital of Peru?" -> visual null, knowledge "What is the capital of Peru?", answerType name
"Which of these two towers is taller?" -> visual ["Which tower is on the left?", "Which tower is on the right?"], knowledge "Which is taller, #1 or #2?", answerType choice
"What does the # key on this phone do?" -> visual "Which phone is this?", knowledge "What does the \\# key on # do?", answerType text`

/** The decomposition by a language model; the rules take over when its replies cannot be used. */
export async function askDecomposition(
  desk: Desk,
  question: string,
): Promise<Asked<Decomposition>> {
  const asked = await askModel(desk, {
    ...{ purpose: 'decompose', system: SYSTEM, user: `Question: ${question}`, schema: reply },
    maxTokens: 300,
    check: (value) => fault(value),
  })
  const { value, calls, problems, failed } = asked
  const rest = { calls, problems, ...(failed === undefined ? {} : { failed }) }
  return value === undefined ? rest : { ...rest, value: decompositionOf(value) }
}

function visualOf(visual: z.infer<typeof reply>['visual']): readonly string[] {
  const list = visual === null ? [] : typeof visual === 'string' ? [visual] : visual
  return list.map((one) => one.trim()).filter((one) => one !== '')
}

function fault(value: z.infer<typeof reply>): string | undefined {
  const slots = visualOf(value.visual).length
  const parts = questionParts(value.knowledge, slots)
  if (value.knowledge.trim() === '') return 'knowledge is empty; write # when nothing is asked'
  const used = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.slot])))
  return used.size === slots
    ? undefined
    : `visual asks for ${slots} things, knowledge has ${used.size} marks (# or #1, #2 …)`
}

function decompositionOf(value: z.infer<typeof reply>): Decomposition {
  const visual = visualOf(value.visual)
  const { answerType, unit, recency = false } = value
  return {
    ...{
      visual,
      knowledge: questionParts(value.knowledge.trim(), visual.length),
      answerType,
      recency,
    },
    ...(unit === null || unit === undefined || unit === '' ? {} : { unit }),
  }
}
