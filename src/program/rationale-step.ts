import { errorLine } from '../base/index.ts'
import { display } from './display.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { isDisplayable, isImage, isList, isObject, kindOf } from './kind.ts'
import { printStep } from './print.ts'
import { inputPicture, resultFigure, sizeOf } from './rationale-figures.ts'
import type { FigureTools } from './rationale-figures.ts'
import type { Row, Why } from './rationale-rows.ts'
import type { ArgTrace, CallStep, Notice } from './step.ts'
import type { Value } from './value.ts'

/** One row as a fragment of the page. */
export async function fragment(tools: FigureTools, row: Row): Promise<Html> {
  switch (row.type) {
    case 'block':
      return html`<p class="block depth${row.depth}">${row.text}</p>`
    case 'unrun':
      return html`<section class="step unrun depth${row.depth}">
        <code>${printStep(row.node)}</code>
        <span class="badge">${WHY[row.why]}</span>
      </section>`
    case 'step':
      return stepFragment(tools, row.step, row.depth)
    default:
      return row satisfies never
  }
}

const WHY: Readonly<Record<Why, string>> = { passed: 'not taken', ended: 'not run' }

async function stepFragment(tools: FigureTools, step: CallStep, depth: number): Promise<Html> {
  const failed = step.error !== undefined
  const figure = await resultFigure(tools, step)
  return html`<section class="step depth${depth}${failed ? ' failed' : ''}">
    <p class="line">
      <span class="number" aria-label="step ${step.step}">${step.step}</span>
      ${await callLine(tools, step)}
    </p>
    ${evalLine(step)} ${figure} ${step.notices.map(noticeLine)} ${errorPart(step)}
    ${detailPart(step)}
  </section>`
}

/** `VAR=TOOL(arg=…)=result`. */
async function callLine(tools: FigureTools, step: CallStep): Promise<Html> {
  const args = await Promise.all(step.args.map((arg) => argument(tools, arg)))
  const list = args.map((arg, i) => html`${i > 0 && ', '}${arg}`)
  const result =
    step.result === undefined ? '' : html`=<b class="result">${resultWords(step.result)}</b>`
  return html`<span class="call"
    ><b class="variable">${step.output}</b>=<b class="tool">${step.tool}</b>(${list})${result}</span
  >`
}

async function argument(tools: FigureTools, arg: ArgTrace): Promise<Html> {
  const shown = isImage(arg.value) && (await inputPicture(tools, arg.value, arg.source))
  return html`<b class="argument">${arg.name}</b>=<span class="source">${arg.source}</span
    >${shown}${substituted(arg) && html`<span class="quiet"> “${String(arg.value)}”</span>`}`
}

/** True when a text's value says more than its source. */
function substituted(arg: ArgTrace): boolean {
  return (
    typeof arg.value === 'string' && arg.name !== 'expr' && /[{]|^[A-Za-z_]\w*$/.test(arg.source)
  )
}

/** EVAL: the template stands in the call; here with its values. */
function evalLine(step: CallStep): Html | false {
  const arg = step.args[0]
  if (step.tool !== 'EVAL' || arg === undefined || typeof arg.value !== 'string') return false
  return html`<p class="values"><code>${arg.value}</code></p>`
}

/** A result in a few words. */
export function resultWords(value: Value): string {
  if (isImage(value)) return `picture ${sizeOf(value)}`
  if (isObject(value)) return value.category
  if (isList(value) && !isDisplayable(kindOf(value))) {
    const objects = value.every(isObject)
    return `${value.length} ${objects ? 'object' : 'item'}${value.length === 1 ? '' : 's'}`
  }
  if (isList(value) && value.length === 0) return 'nothing'
  return isDisplayable(kindOf(value)) ? display(value) : 'a list'
}

function noticeLine(notice: Notice): Html {
  return html`<p class="notice"><b>${notice.code}</b> ${notice.message}</p>`
}

function errorPart({ error }: CallStep): Html | false {
  if (error === undefined) return false
  return html`<p class="error" role="alert"><b>${error.code}</b> ${errorLine(error)}</p>`
}

function detailPart(step: CallStep): Html {
  const lines = [
    step.score !== undefined && `score ${display(step.score)}`,
    step.raw !== undefined && `raw answer: ${step.raw}`,
    step.concepts !== undefined &&
      step.concepts.length > 0 &&
      `concepts: ${step.concepts.join(', ')}`,
    ...step.prompts.map(
      (use) =>
        `prompt ${use.prompt} of lesson ${use.lesson} (${use.concept}), weight ${display(use.weight)}`,
    ),
    ...step.models.map((model) => `model ${model.name}${model.version ? ` ${model.version}` : ''}`),
    step.replayed === 'given' && 'given by hand in a replay',
    step.replayed === 'record' && 'from the record',
    `line ${step.line}`,
  ].filter((line) => typeof line === 'string')
  return html`<details>
    <summary>${duration(step.ms)}${step.models[0] && ` · ${step.models[0].name}`}</summary>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </details>`
}

/** `0.4 ms`, `120 ms`, `1.3 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}
