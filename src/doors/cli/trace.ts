import type { RunDocument, StepDocument, ValueDocument } from '../../app/index.ts'
import type { Paint } from './style.ts'
import { table } from './style.ts'

/** A value in a few words: `3 objects`, `picture 640 x 480`, the text itself. */
export function valueText(value: ValueDocument): string {
  if (value === null) return 'none'
  if (typeof value !== 'object')
    return shorten(typeof value === 'boolean' ? yesNo(value) : String(value))
  if ('image' in value) return `picture ${value.width} x ${value.height}`
  if ('box' in value) return objectText(value)
  const items = value as readonly ValueDocument[]
  const objects = items.filter(
    (item) => item !== null && typeof item === 'object' && 'label' in item,
  )
  if (items.length === 0) return 'nothing'
  if (objects.length === items.length) {
    const first = items.length === 1 ? `: ${valueText(items[0] as ValueDocument)}` : ''
    return `${items.length} object${items.length === 1 ? '' : 's'}${first}`
  }
  return shorten(items.map(valueText).join(', '))
}

function objectText({
  label,
  score,
  box,
}: {
  label: string
  score: number | null
  box: readonly number[]
}): string {
  return `${label}${score === null ? '' : ` ${score.toFixed(2)}`} [${box.join(', ')}]`
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

function shorten(text: string, most = 60): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

/** `BOX0=LOC(object=person)`; pictures are left out where there is another argument to show. */
export function callText(step: StepDocument): string {
  const args = Object.entries(step.args)
  const telling = args.filter(([, value]) => !isReference(value))
  const shown = telling.length > 0 ? telling : args
  const words = shown.map(([name, value]) => `${name}=${valueText(value)}`)
  return `${step.output}=${step.tool}(${words.join(', ')})`
}

function isReference(value: ValueDocument): boolean {
  return typeof value === 'object' && value !== null && 'image' in value
}

/** One row of the trace: number, call, result, time. */
function stepRow(step: StepDocument, paint: Paint): readonly string[] {
  const result =
    step.error === undefined ? valueText(step.result) : `${step.error.code} ${step.error.message}`
  return [
    paint.dim(`${step.index + 1}${step.path === undefined ? '' : ` (${step.path})`}`),
    paint.cyan(callText(step)),
    step.error === undefined ? paint.green(result) : paint.red(result),
    paint.dim(milliseconds(step.ms)),
  ]
}

export function milliseconds(ms: number): string {
  return ms >= 1000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** The whole run as text: program, steps, notices, answer, costs. */
export function traceText(run: RunDocument, paint: Paint): string {
  const lines = [
    `${paint.bold(run.instruction || '(a program)')}  ${paint.dim(`${run.run} · ${run.family}`)}`,
    ...makingLines(run, paint),
    ...run.program
      .split('\n')
      .filter(Boolean)
      .map((line) => `  ${line}`),
    '',
    table(run.steps.map((step) => ['', ...stepRow(step, paint)])),
    ...run.steps.flatMap((step) =>
      step.notices.map((notice) =>
        paint.yellow(`  step ${step.index + 1}: ${notice.code} ${notice.message}`),
      ),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function makingLines({ making, fallback }: RunDocument, paint: Paint): readonly string[] {
  const how = {
    llm: 'written by a language model',
    analogy: 'made by analogy',
    hand: 'given by hand',
    fallback: 'the stated way round',
  }
  const lines: string[] = []
  if (making !== undefined) {
    const near =
      making.confidence === undefined ? '' : `, ${Math.round(making.confidence * 100)} % near`
    const tries = making.attempts > 1 ? `, at attempt ${making.attempts}` : ''
    lines.push(paint.dim(`program ${how[making.by]}${near}${tries}`))
    if (making.explanation !== undefined) lines.push(paint.dim(`  ${making.explanation}`))
  }
  if (fallback !== undefined) lines.push(paint.yellow(`fallback: ${fallback}`))
  return lines
}

/** What the run cost, in one line. */
export function costText({ costs, steps }: RunDocument): string {
  const parts = [
    `${steps.length} step${steps.length === 1 ? '' : 's'}`,
    milliseconds(costs.seconds * 1000),
  ]
  if (costs.calls > 0) parts.push(`${costs.calls} model calls`, `${costs.tokens} tokens`)
  if (costs.money > 0) parts.push(`$${costs.money.toFixed(4)}`)
  return parts.join(' · ')
}
