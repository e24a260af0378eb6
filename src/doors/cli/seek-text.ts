import type { SeekDocument, SeekMove } from '../../app/index.ts'
import type { Paint } from './style.ts'

/** What is looked for: the question about the picture, then the one about what it shows. */
export function planText(plan: string, paint: Paint): string {
  const { visual, knowledge } = JSON.parse(plan) as {
    visual: readonly string[]
    knowledge: readonly (string | { readonly slot: number })[]
  }
  const asked = knowledge.map((part) => (typeof part === 'string' ? part : '…')).join('')
  return paint.dim([...visual, asked].map((one) => `? ${one}`).join('\n'))
}

/** One decision in a line: `3 caption → kb_lookup "cat"  found: …`. */
export function moveText(move: SeekMove, number: number, paint: Paint): string {
  if (move.to !== undefined) {
    const what = move.tool === 'rebind' ? 'tries the next thing seen' : 'goes back'
    return paint.dim(`   ↩ ${what}: ${move.reason}`)
  }
  const place = String(number).padStart(2)
  const asked = move.question === undefined ? '' : ` "${short(move.question, 60)}"`
  const object = move.object === undefined ? '' : ` (${move.object})`
  const head = `${place} ${move.from} → ${paint.cyan(move.tool)}${object}${asked}`
  return `${head}  ${cameText(move, paint)}`
}

function cameText({ verdict, learnt = '', failed, phase, tool }: SeekMove, paint: Paint): string {
  if (failed !== undefined) return paint.red(`✗ failed: ${short(failed)}`)
  switch (verdict) {
    case 'answer':
      return paint.green(`✓ ${phase === 'visual' ? 'seen' : 'answers'}: ${short(learnt)}`)
    case 'informative':
      return paint.green(tool === 'select_object' ? '✓' : `✓ ${short(learnt)}`)
    case 'uninformative':
      return paint.yellow(`✗ dead end${learnt === '' ? '' : `: ${short(learnt)}`}`)
    case undefined:
      return '…'
    default:
      return verdict satisfies never
  }
}

/** How a search came out, below its answer: its sources, or what was tried. */
export function seekText(seek: SeekDocument, paint: Paint): string {
  const found = seek.kind === 'answered' || seek.kind === 'partial'
  return found ? sourcesText(seek, paint) : notFoundText(seek)
}

/** How sure the answer is, and each source with its words. */
export function sourcesText(seek: SeekDocument, paint: Paint): string {
  const { confidence = 0, supported, bindings, sources, conflicts, kind } = seek
  const stands = kind === 'answered' && supported === true
  const seen = bindings.length === 0 ? '' : `; seen: ${bindings.join(', ')}`
  return [
    paint.dim(`${sureness(stands, confidence)} (confidence ${confidence.toFixed(2)}${seen}).`),
    'Sources:',
    ...sources.map(({ number, provider, title, url, licence, quote, box }) => {
      const where = [provider, title, url, box === undefined ? undefined : `[${box.join(', ')}]`]
      const name = where.filter((one) => one !== undefined && one !== '').join(' · ')
      const terms = licence === undefined ? '' : paint.dim(` (${licence})`)
      return `  [${number}] ${name}${terms}\n      "${short(quote, 160)}"`
    }),
    ...conflicts.map(
      ({ value, providers }) => `  Others say: ${short(value)} (${providers.join(', ')})`,
    ),
  ].join('\n')
}

/** How much to rely on an answer: that a source says it is one thing, that nothing speaks against it another. */
function sureness(stands: boolean, confidence: number): string {
  if (!stands) return 'Not well supported: the best that was found'
  if (confidence >= 0.7) return 'Well supported'
  if (confidence >= 0.4) return 'Supported by a source'
  return 'A source says so, but what the picture shows is doubtful: check it'
}

/** "Not found", and why, and what was tried. */
export function notFoundText({ stop, tried, sourcesFailed }: SeekDocument): string {
  const counts = new Map<string, number>()
  for (const { tool, q, how } of tried) {
    if (tool === 'select_object') continue
    const line = `  ${tool}${q === undefined ? '' : ` "${short(q, 60)}"`}: ${HOW[how] ?? how}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return [
    `Not found: ${reasonOf(stop)}.`,
    counts.size === 0 ? 'Nothing could be tried.' : 'Tried:',
    ...[...counts].map(([line, times]) => (times === 1 ? line : `${line} (${times} times)`)),
    ...sourcesFailed.map(({ provider, reason }) => `  ${provider} failed (${reason})`),
  ].join('\n')
}

/** What came of a try, as a person says it: something seen is not yet an answer. */
const HOW: Readonly<Record<string, string>> = {
  answer: 'seen, but it led to no answer',
  informative: 'told something, but no answer',
  uninformative: 'nothing that helps',
}

const LIMITS: Readonly<Record<string, string>> = {
  maxToolCalls: 'steps (--max-steps)',
  maxCostUsd: 'money (--max-cost)',
  maxLlmCalls: 'model calls (--budget calls=…)',
  maxTokens: 'tokens (--budget tokens=…)',
  maxMs: 'time (--budget seconds=…)',
}

function reasonOf(stop = 'it was not finished'): string {
  const limit = /^budget:(.+)$/.exec(stop)?.[1]
  if (limit !== undefined) return `the limit of ${LIMITS[limit] ?? limit} was reached`
  if (stop === 'exhausted') return 'everything that could be tried was tried'
  return stop === 'false-premise' ? 'what the question takes for granted is not so' : stop
}

function short(text: string, most = 90): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
