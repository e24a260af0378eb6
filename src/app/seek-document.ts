import type { Citation, SeekDecideStep, SeekOutcome, SeekStep } from '../agents/index.ts'
import type { Box } from '../image/index.ts'
import { toOriginal } from '../image/index.ts'
import type { PackedRun, StoredRun } from '../stores/index.ts'

/** Where a part of the answer comes from. */
export interface SeekSource {
  /** 1, 2, …, as they are shown. */
  readonly number: number
  readonly tool: string
  readonly provider: string
  readonly title?: string
  readonly url?: string
  readonly licence?: string
  readonly quote: string
  /** Whole pixels of the original picture, for what was read in it. */
  readonly box?: Box
  /** Index of the call in the run's steps, decisions and readings counted. */
  readonly step: number
}

/** One decision and what came of it. */
export interface SeekMove {
  readonly node: number
  readonly parent?: number
  readonly phase: 'visual' | 'knowledge'
  /** The state it was made in: the tool before, START at first. */
  readonly from: string
  /** A tool; `backtrack` or `rebind` when the way ended here. */
  readonly tool: string
  /** The node that was gone back to. */
  readonly to?: number
  readonly question?: string
  readonly object?: string
  readonly by: string
  readonly reason: string
  readonly provider?: string
  readonly verdict?: 'informative' | 'uninformative' | 'answer'
  /** What was learnt, or what was seen there. */
  readonly learnt?: string
  /** Why nothing came back. */
  readonly failed?: string
}

/** How a seeking run came out. */
export interface SeekDocument {
  readonly kind: SeekOutcome['kind'] | 'open'
  readonly stop?: string
  readonly confidence?: number
  readonly supported?: boolean
  readonly derivation?: string
  /** What the question's unnamed things turned out to be. */
  readonly bindings: readonly string[]
  readonly sources: readonly SeekSource[]
  readonly conflicts: readonly { readonly value: string; readonly providers: readonly string[] }[]
  readonly visual: readonly string[]
  /** The question about what was seen; `#` stands for it. */
  readonly knowledge: string
  readonly path: readonly SeekMove[]
  readonly tried: SeekOutcome['tried']
  readonly sourcesFailed: SeekOutcome['sourcesFailed']
  readonly degraded: readonly string[]
}

/** The search in a run, or undefined for a run of another agent; pure. */
export function seekDocument(run: PackedRun | StoredRun): SeekDocument | undefined {
  if (run.agent !== 'seeking') return undefined
  const steps = run.steps as unknown as readonly SeekStep[] // its agent says so
  const outcome = steps.findLast((step) => step.kind === 'reply')?.outcome
  const plan = steps.find((step) => step.kind === 'plan')?.decomposition
  const { answer } = outcome ?? {}
  const picture = Object.values(run.task.inputs)[0]
  const size =
    picture === undefined
      ? undefined
      : {
          width: Math.round(picture.width * picture.frame.scale[0]),
          height: Math.round(picture.height * picture.frame.scale[1]),
        }
  const boxOf = (box: Box): Box =>
    picture === undefined ? box : toOriginal(box, picture.frame, size)
  return {
    kind: outcome?.kind ?? 'open',
    ...(outcome === undefined ? {} : { stop: outcome.stop }),
    ...(answer === undefined
      ? {}
      : {
          ...{ confidence: rounded(answer.confidence), supported: answer.supported },
          derivation: answer.derivation,
        }),
    bindings: answer?.bindings ?? [],
    sources: (answer?.citations ?? []).map((one, i) =>
      sourceOf({ ...one, provider: providerOf(one, steps) }, i + 1, boxOf),
    ),
    conflicts: (answer?.conflicts ?? []).map(({ value, sources }) => ({
      ...{ value, providers: [...new Set(sources.map(({ provider }) => provider))] },
    })),
    visual: plan?.visual ?? [],
    knowledge: knowledgeText(plan?.knowledge ?? []),
    path: seekMoves(steps),
    tried: outcome?.tried ?? [],
    sourcesFailed: outcome?.sourcesFailed ?? [],
    degraded: outcome?.degraded ?? [],
  }
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

/** A question with `#` for the thing seen, `#1`, `#2` when there are several. */
function knowledgeText(parts: readonly (string | { readonly slot: number })[]): string {
  const slots = parts.filter((part) => typeof part !== 'string').length
  return parts
    .map((part) => (typeof part === 'string' ? part : slots > 1 ? `#${part.slot + 1}` : '#'))
    .join('')
}

function sourceOf(citation: Citation, number: number, boxOf: (box: Box) => Box): SeekSource {
  const { tool, provider, title, url, licence, quote, box, step } = citation
  return {
    ...{ number, tool, provider },
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(licence === undefined ? {} : { licence }),
    ...{ quote, step },
    ...(box === undefined ? {} : { box: boxOf(box) }),
  }
}

/** Which of several sources that were asked together said it. */
function providerOf({ step, quote, provider }: Citation, steps: readonly SeekStep[]): string {
  const call = steps[step]
  if (call?.kind !== 'call' || !provider.includes('+')) return provider
  const said = call.sought.output?.entries?.find(({ text = '' }) => text.includes(quote))
  return said?.source ?? provider
}

/** The decisions so far, each with what came of it; the last may still be going on. */
export function seekMoves(steps: readonly SeekStep[]): readonly SeekMove[] {
  const moves: SeekMove[] = []
  const labels = new Map<string, string>()
  for (const step of steps) {
    if (step.kind === 'decide') moves.push(moveOf(step, labels))
    const last = moves.at(-1)
    if (last === undefined) continue
    if (step.kind === 'call') {
      const { provider, reason, consent, output } = step.sought
      for (const { id, label } of output?.boxes ?? []) labels.set(id, label)
      const failed = consent === 'refused' ? 'not allowed' : (step.error?.message ?? reason)
      moves[moves.length - 1] = {
        ...last,
        ...(provider === undefined ? {} : { provider }),
        ...(failed === undefined ? {} : { failed }),
      }
    }
    if (step.kind === 'reason') {
      const learnt = step.extracted === '' ? step.why : step.extracted
      const { verdict } = step
      moves[moves.length - 1] = { ...last, verdict, ...(learnt === '' ? {} : { learnt }) }
    }
  }
  return moves
}

function moveOf(step: SeekDecideStep, labels: ReadonlyMap<string, string>): SeekMove {
  const { node, parent, phase, state, chosen, by, reason, focus } = step
  const back = 'to' in chosen
  const args = back ? undefined : chosen.args
  const selected = args?.id === undefined ? undefined : (labels.get(args.id) ?? args.id)
  const object = selected ?? focus.label
  return {
    ...{ node, phase, from: state, tool: chosen.tool, by, reason },
    ...(parent === undefined ? {} : { parent }),
    ...(back ? { to: chosen.to } : {}),
    ...(args?.q === undefined ? {} : { question: args.q }),
    ...(object === undefined ? {} : { object }),
  }
}
