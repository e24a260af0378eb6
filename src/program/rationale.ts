import { errorLine } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { Image, ObjectRecord } from '../image/index.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { isImage } from './kind.ts'
import { print } from './print.ts'
import { inputPicture, objectWords, picture, sizeOf } from './rationale-figures.ts'
import type { FigureTools, Thumbnail } from './rationale-figures.ts'
import { rationaleRows } from './rationale-rows.ts'
import { duration, fragment, resultWords } from './rationale-step.ts'
import { RATIONALE_STYLE } from './rationale-style.ts'
import type { RunOutcome } from './run.ts'
import type { CallStep } from './step.ts'
import type { Program } from './syntax.ts'
import type { Value } from './value.ts'

export interface RationaleOptions extends Abortable {
  /** What was asked; the page's title. */
  readonly instruction: string
  readonly inputs: Readonly<Record<string, Value>>
  readonly program: Program
  readonly steps: readonly CallStep[]
  readonly outcome: RunOutcome
  readonly thumbnail: Thumbnail
  /** The plan in words, if there is one. */
  readonly plan?: string | undefined
  /** Milliseconds of the whole run; default the sum of its steps. */
  readonly ms?: number | undefined
  /** Told above the steps: how the program was made, warnings, a fallback. */
  readonly remarks?: readonly string[] | undefined
  /** Told at the end, such as the run's id and date. */
  readonly facts?: readonly (readonly [name: string, value: string])[] | undefined
}

const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * The run as one self-contained HTML file for people: every step with what it saw and gave. No
 * script and no remote resource; every text is escaped.
 *
 * @throws what `thumbnail` throws
 * @source program-language §10
 */
export async function rationale(options: RationaleOptions): Promise<string> {
  const { instruction, steps, outcome, program } = options
  const tools = figureTools(options)
  const rows = rationaleRows(program, steps, outcome.status === 'done')
  const fragments: Html[] = []
  for (const row of rows) {
    options.signal?.throwIfAborted()
    fragments.push(await fragment(tools, row))
  }
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${instruction}</title>
        <style>
          ${{ markup: RATIONALE_STYLE }}
        </style>
      </head>
      <body>
        <main>
          <h1>${instruction}</h1>
          ${await answerPart(tools, outcome)} ${await inputsPart(tools, options.inputs)}
          ${remarksPart(options)}
          <h2>Steps</h2>
          ${fragments.map((one, i) => html`${i > 0 && html`<hr />`}${one}`)}
          <h2>Answer</h2>
          ${await answerPart(tools, outcome)} ${factsPart(options)}
          <h2>Program</h2>
          <pre>${print(program)}</pre>
        </main>
      </body>
    </html>`
  return page.markup
}

/** Draws each picture once, and finds pictures by the frame of their objects. */
function figureTools({ thumbnail, inputs, steps, signal }: RationaleOptions): FigureTools {
  const drawn = new Map<string, Promise<string>>()
  const images = new Map<string, Image>()
  const seen = [
    ...Object.values(inputs),
    ...steps.flatMap((step) => [...step.args.map((arg) => arg.value), step.result ?? null]),
  ]
  for (const value of seen) {
    if (isImage(value) && !images.has(value.frame.id)) images.set(value.frame.id, value)
  }
  return {
    signal,
    pictureOf: (object: ObjectRecord) => images.get(object.frame.id),
    thumbnail: (image, request) => {
      const { signal: _, objects, ...rest } = request
      const marks = objects?.map((one) => [one.id, one.box, one.mask?.counts.length])
      const key = JSON.stringify([image.hash, image.frame.id, rest, marks])
      const known = drawn.get(key) ?? thumbnail(image, request)
      drawn.set(key, known)
      return known
    },
  }
}

async function answerPart(tools: FigureTools, outcome: RunOutcome): Promise<Html> {
  if (outcome.status === 'error') {
    return html`<div class="answer bad">
      <span class="words">${outcome.error.code}</span><span>${errorLine(outcome.error)}</span>
    </div>`
  }
  if (outcome.status === 'aborted') {
    return html`<div class="answer bad">
      <span class="words">stopped</span><span>${outcome.reason}</span>
    </div>`
  }
  const { value } = outcome
  const shown = isImage(value) && (await picture(tools, value, `the answer, ${sizeOf(value)}`))
  const tags = isImage(value) ? (value.tags ?? []) : []
  const words = outcome.answer ?? (isImage(value) ? '' : resultWords(value))
  return html`<div class="answer">
    ${shown}${words !== '' && html`<span class="words">${words}</span>`}
    ${tags.length > 0 && html`<span>${tags.map(objectWords).join(', ')}</span>`}
  </div>`
}

async function inputsPart(
  tools: FigureTools,
  inputs: Readonly<Record<string, Value>>,
): Promise<Html> {
  const figures = await Promise.all(
    Object.entries(inputs).map(async ([name, value]) => {
      const shown = isImage(value) && (await inputPicture(tools, value, name))
      return html`<figure>
        ${shown}
        <figcaption>
          <b class="variable">${name}</b> ${isImage(value) ? sizeOf(value) : resultWords(value)}
        </figcaption>
      </figure>`
    }),
  )
  return html`<div class="inputs">${figures}</div>`
}

function remarksPart({ remarks = [], plan }: RationaleOptions): Html {
  return html`${remarks.map((text) => html`<p class="notice">${text}</p>`)}
  ${
    plan !== undefined &&
    plan !== '' &&
    html`<h2>Plan</h2>
      <pre>${plan}</pre>`
  }`
}

/** Time, tools and prompts used. */
function factsPart({ steps, ms, facts = [] }: RationaleOptions): Html {
  const total = ms ?? steps.reduce((sum, step) => sum + step.ms, 0)
  const tools = counted(steps.map((step) => step.tool))
  const models = counted(steps.flatMap((step) => step.models.map((model) => model.name)))
  const prompts = counted(
    steps.flatMap((step) =>
      step.prompts.map((use) => `${use.prompt} (${use.concept}, lesson ${use.lesson})`),
    ),
  )
  const rows: (readonly [string, string])[] = [
    ['Time', duration(total)],
    ['Tools', tools],
    ['Models', models],
    ['Prompts', prompts === '' ? 'none' : prompts],
    ...facts,
  ]
  return html`<table>
    ${rows
      .filter(([, value]) => value !== '')
      .map(
        ([name, value]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
  </table>`
}

/** Names with how often they occur: `LOC 2x, COUNT`. */
function counted(names: readonly string[]): string {
  const counts = Map.groupBy(names, (name) => name)
  return [...counts]
    .map(([name, all]) => (all.length > 1 ? `${name} ${all.length}x` : name))
    .join(', ')
}
