import { z } from 'zod'
import { askModel } from './ask.ts'
import type { Desk } from './ask.ts'
import { exampleId, readingExamples } from './examples.ts'
import { knowledgeQuestion, visualQuestion } from './feasible.ts'
import type { Situation } from './feasible.ts'
import { DATA_RULE, fenceData, findQuote } from './outside-text.ts'
import type { PlannerParts } from './planner.ts'
import type { Entry, SeekTool } from './types.ts'
import type { ModelCall } from '../step.ts'

const quoted = z.object({
  entry: z.string().describe('id of the entry, such as e1'),
  quote: z.string().describe('copied from that entry, letter by letter'),
})

const replySchema = z.object({
  verdict: z.enum(['uninformative', 'informative', 'answer']),
  why: z.string().optional(),
  claims: z.array(z.object({ text: z.string(), ...quoted.shape })).optional(),
  candidates: z.array(z.object({ answer: z.string(), support: z.array(quoted) })).optional(),
  contradicts: quoted
    .optional()
    .describe('only when the picture shows something else than the question assumes'),
})

/** A reading as a model or the extractive reader gives it, not yet checked by code. */
export interface Reading {
  readonly verdict: 'uninformative' | 'informative' | 'answer'
  readonly why?: string
  readonly claims?: readonly {
    readonly text: string
    readonly entry: string
    readonly quote: string
  }[]
  readonly candidates?: readonly {
    readonly answer: string
    readonly support: readonly { readonly entry: string; readonly quote: string }[]
  }[]
  readonly contradicts?: { readonly entry: string; readonly quote: string }
}

const COMMON = `Choose the entries that matter, and extract only what they say. The same fact in several entries is a sign that it is right.
verdict "answer": the entries give the answer; list it under candidates, with a quote from every entry that supports it.
verdict "informative": they help but do not settle it; list what they say under claims, and what may be the answer under candidates.
verdict "uninformative": it cannot be answered from them; list nothing.
Every quote is copied from its entry. Something said about a part is no answer about the whole. A more specific name is better than a general one. When the evidence is unsure or off the point, say "uninformative".
${DATA_RULE}`

const VISUAL = `You read what a tool found out about a picture, to tell what it shows.
${COMMON}`

const KNOWLEDGE = `You read what a source says, to answer a question about a thing that is known by name. Use only what stands in the entries, never your own knowledge.
${COMMON}`

export interface Read {
  readonly reading?: Reading
  readonly calls: readonly ModelCall[]
  readonly problems: readonly string[]
  readonly failed?: 'output' | 'model' | 'budget'
}

/** A model's reading of an output, quotes found in their entries (one repair), all else checked later. */
export async function readByModel(
  at: Situation,
  read: { readonly tool: SeekTool; readonly entries: readonly Entry[]; readonly asked: string },
  parts: PlannerParts & { readonly desk: Desk },
): Promise<Read> {
  const { value, last, calls, problems, failed } = await askModel(parts.desk, {
    purpose: 'reason',
    system: at.node.phase === 'visual' ? VISUAL : KNOWLEDGE,
    user: promptOf(at, read, parts),
    schema: replySchema,
    maxTokens: 800,
    check: (reply) => quoteFault(reply, read.entries),
  })
  // A second reply with a wrong quote is still read: what is quoted well in it counts.
  const reading = value ?? last
  if (reading !== undefined) return { reading, calls, problems }
  return { calls, problems, failed: failed ?? 'output' }
}

/** The first quote that stands nowhere in its entry. */
function quoteFault(reply: Reading, entries: readonly Entry[]): string | undefined {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const quotes = [
    ...(reply.claims ?? []),
    ...(reply.candidates ?? []).flatMap(({ support }) => support),
    ...(reply.contradicts === undefined ? [] : [reply.contradicts]),
  ]
  for (const { entry, quote } of quotes) {
    const found = byId.get(entry)
    if (found === undefined)
      return `there is no entry "${entry}"; use ${[...byId.keys()].join(', ')}`
    if (findQuote(found.text, quote) === undefined) {
      return `"${quote.slice(0, 80)}" does not stand in ${entry}; copy the quote letter by letter`
    }
  }
  if (reply.verdict === 'answer' && (reply.candidates ?? []).length === 0) {
    return 'verdict "answer" needs a candidate with its support'
  }
  return undefined
}

function promptOf(
  at: Situation,
  read: { readonly tool: SeekTool; readonly entries: readonly Entry[]; readonly asked: string },
  { question, nonce, decisions, runId, examples }: PlannerParts,
): string {
  const { node, memory, decomposition } = at
  const visual = node.phase === 'visual'
  const shown = readingExamples(decisions, {
    ...{ question, picture: `sha256:${at.picture.hash}`, runId, phase: node.phase, most: examples },
  })
  const claims = memory.claims.map((one) =>
    fenceData(one.text, { id: one.id, src: one.tool, nonce }),
  )
  const entries = read.entries.map((entry) =>
    fenceData(entry.text, { id: entry.id, src: read.tool, nonce }),
  )
  const ask = visual ? visualQuestion(at) : knowledgeQuestion(at)
  return [
    ...(shown.length === 0 ? [] : ['Readings of people on other questions:']),
    ...shown.map(
      ({ decision: one }) =>
        `- "${one.question.slice(0, 160)}", ${one.chosen.tool} gave: ${fenceData(one.outputSummary.slice(0, 160), { id: exampleId(one), src: one.chosen.tool, nonce })} -> ${one.verdict}`,
    ),
    `Question: ${question}`,
    `Answer this now: ${fenceData(ask, { id: 'question', src: 'question', nonce })}`,
    `Kind of answer: ${visual ? 'name' : decomposition.answerType}${decomposition.unit === undefined || visual ? '' : ` in ${decomposition.unit}`}`,
    `Known so far:${claims.length === 0 ? ' nothing' : ''}`,
    ...claims.slice(-30),
    `${read.tool} was asked: ${fenceData(read.asked, { id: 'asked', src: 'planner', nonce })}`,
    'Entries:',
    ...entries,
  ].join('\n')
}

export const readingSchema = replySchema
