import type { Step } from '../agents/index.ts'
import type { ErrorData, Json } from '../base/index.ts'
import type { Spent } from '../llm/index.ts'
import type { Box, Frame, MaskRle, ObjectRecord } from '../image/index.ts'
import { toOriginal } from '../image/index.ts'
import type { ModelStamp, Notice, Value } from '../program/index.ts'
import type { Packed, PackedImage, PackedRun, StoredRun } from '../stores/index.ts'
import { seekDocument } from './seek-document.ts'
import type { SeekDocument } from './seek-document.ts'

/** A thing found, for the world outside. */
export interface TagDocument {
  /** Whole pixels of the original picture, `[x1, y1, x2, y2]`, half-open. */
  readonly box: Box
  readonly label: string
  /** What was read there (OCR). */
  readonly text?: string
  readonly score: number | null
  /** Which input it lies on: IMAGE, LEFT or RIGHT. */
  readonly on?: string
  /** When asked for: run lengths, and the part of the original that they cover. */
  readonly mask?: MaskRle & { readonly box: Box }
}

/** A picture, for the world outside. */
export interface ImageDocument {
  /** Its address: SHA-256 of its pixels. */
  readonly image: string
  readonly width: number
  readonly height: number
  /** The part of the original that it shows, in the original's pixels. */
  readonly box: Box
  readonly on?: string
  /** Set when it shows only a part. */
  readonly part?: true
}

/** A value of the language as JSON: pictures and objects as above, the rest as it is. */
export type ValueDocument =
  ImageDocument | TagDocument | string | number | boolean | null | readonly ValueDocument[]

/** One executed call. */
export interface StepDocument {
  readonly index: number
  /** The variable assigned. */
  readonly output: string
  readonly tool: string
  readonly args: Readonly<Record<string, ValueDocument>>
  /** Null when the step failed. */
  readonly result: ValueDocument
  readonly ms: number
  readonly line: number
  readonly score?: number
  readonly notices: readonly Notice[]
  readonly models: readonly ModelStamp[]
  /** For steps in loops: `O 2/1` is the second item of the outer loop, the first of the inner. */
  readonly path?: string
  readonly error?: ErrorData
}

/** An input as the run saw it. */
export interface InputDocument {
  readonly image: string
  /** Size that the run worked on. */
  readonly width: number
  readonly height: number
  /** Size of the original picture. */
  readonly original: { readonly width: number; readonly height: number }
}

/** How the program came about. */
export interface MakingDocument {
  readonly by: 'llm' | 'analogy' | 'hand' | 'fallback'
  readonly attempts: number
  readonly confidence?: number
  readonly explanation?: string
  readonly plan?: string
}

/** A run for the world outside: what `--json` prints and `/v1/runs/:id` gives. */
export interface RunDocument {
  readonly run: string
  readonly agent: string
  readonly status: 'done' | 'error' | 'aborted' | 'open'
  readonly family: string
  readonly instruction: string
  readonly inputs: Readonly<Record<string, InputDocument>>
  readonly answer?: string
  /** Where the resulting picture is: a path in the CLI, an address over HTTP. */
  readonly image?: string
  readonly tags?: readonly TagDocument[]
  /** The program that was run, canonical; empty when none came about. */
  readonly program: string
  readonly making?: MakingDocument
  readonly steps: readonly StepDocument[]
  /** Of a seeking run: how it came out, its sources, and the way through the graph. */
  readonly seek?: SeekDocument
  readonly costs: Spent
  readonly models: readonly ModelStamp[]
  /** What to know about the result: notices of the run and of its steps, each once. */
  readonly warnings: readonly string[]
  readonly fallback?: string
  readonly error?: ErrorData
  readonly createdAt: number
}

export interface DocumentOptions {
  /** Turns a picture's address into what `image` says; without it `image` is left out. */
  readonly place?: (hash: string) => string | undefined
  /** Adds masks to objects. */
  readonly masks?: boolean
}

type Maybe<T> = Packed<T> | T

/** The run as a document; pure. */
export function runDocument(
  run: PackedRun | StoredRun,
  options: DocumentOptions = {},
): RunDocument {
  const { outcome, task } = run
  const write = valueWriter(task.inputs, options)
  const value = outcome.status === 'done' ? outcome.value : undefined
  const image = isPackedImage(value) ? value : undefined
  const place = image === undefined ? undefined : options.place?.(image.hash)
  const unfinished = 'unfinished' in run && run.unfinished === true
  return {
    ...{ run: run.id, agent: run.agent, status: unfinished ? 'open' : outcome.status },
    ...{ family: task.family, instruction: task.instruction },
    inputs: mapValues(task.inputs, inputDocument),
    ...(outcome.status === 'done' ? answerOf(outcome.answer, value) : {}),
    ...(place === undefined ? {} : { image: place }),
    ...(image?.tags === undefined
      ? {}
      : { tags: image.tags.map((tag) => write(tag) as TagDocument) }),
    ...programOf(run.steps, task.program),
    steps: run.steps
      .filter((step) => step.kind === 'call')
      .map((step) => callDocument(step, write)),
    ...seekPart(run),
    costs: run.cost,
    models: run.models,
    warnings: warningsOf(run),
    ...(run.fallback === undefined ? {} : { fallback: run.fallback }),
    ...errorOf(outcome),
    createdAt: run.createdAt,
  }
}

function seekPart(run: PackedRun | StoredRun): { seek?: SeekDocument } {
  const seek = seekDocument(run)
  return seek === undefined ? {} : { seek }
}

/** What there is to know about the result: of the run, then of its steps, each once. */
function warningsOf(run: PackedRun | StoredRun): readonly string[] {
  const told = run.steps.flatMap((step) =>
    step.kind === 'call' ? step.notices.map((notice) => notice.message) : [],
  )
  return [...new Set([...run.warnings, ...told])]
}

/** One step as a document, or undefined for a step that is no call. */
export function stepDocument(
  step: Maybe<Step>,
  inputs: PackedRun['task']['inputs'],
  options: DocumentOptions = {},
): StepDocument | undefined {
  return step.kind === 'call' ? callDocument(step, valueWriter(inputs, options)) : undefined
}

type Write = (value: Maybe<Value> | undefined) => ValueDocument
type Call = Extract<Packed<Step>, { kind: 'call' }>

function callDocument(step: Call, write: Write): StepDocument {
  const path = step.path.map((at) => at.item + 1).join('/')
  return {
    ...{ index: step.index, output: step.output, tool: step.tool },
    args: Object.fromEntries(step.args.map((arg) => [arg.name, write(arg.value)])),
    result: write(step.result),
    ...{ ms: Math.round(step.ms * 10) / 10, line: step.line },
    ...(step.score === undefined ? {} : { score: step.score }),
    ...{ notices: step.notices, models: step.models },
    ...(path === '' ? {} : { path }),
    ...(step.error === undefined ? {} : { error: step.error }),
  }
}

function valueWriter(inputs: PackedRun['task']['inputs'], options: DocumentOptions): Write {
  const names = new Map(
    Object.entries(inputs).map(([name, image]) => [image.frame.original, { name, image }]),
  )
  const placed = (frame: Frame, box: Box): { box: Box; on?: string } => {
    const input = names.get(frame.original)
    const size = input === undefined ? undefined : originalSize(input.image)
    return { box: toOriginal(box, frame, size), ...(input === undefined ? {} : { on: input.name }) }
  }
  const write: Write = (value) => {
    if (value === undefined || value === null || typeof value !== 'object') return value ?? null
    if (Array.isArray(value)) return value.map((item: Maybe<Value>) => write(item))
    if (isPackedImage(value)) {
      const { hash, width, height, frame } = value
      const input = names.get(frame.original)?.image.frame.id
      const part = input === undefined || input === frame.id ? {} : { part: true as const }
      return { image: hash, width, height, ...placed(frame, [0, 0, width, height]), ...part }
    }
    const found = value as ObjectRecord
    const { box, on } = placed(found.frame, found.box)
    const { width, height } = found.frame
    const placedMask = (mask: MaskRle): TagDocument['mask'] => ({
      ...mask,
      box: placed(found.frame, [0, 0, width, height]).box,
    })
    return {
      box,
      label: found.class ?? found.category,
      ...(found.label === undefined ? {} : { text: found.label }),
      score: found.score === null ? null : Math.round(found.score * 1e4) / 1e4,
      ...(on === undefined ? {} : { on }),
      ...(options.masks && found.mask !== null ? { mask: placedMask(found.mask) } : {}),
    }
  }
  return write
}

function originalSize({ width, height, frame }: PackedImage): { width: number; height: number } {
  return { width: Math.round(width * frame.scale[0]), height: Math.round(height * frame.scale[1]) }
}

function inputDocument(image: PackedImage): InputDocument {
  const { hash, width, height } = image
  return { image: hash, width, height, original: originalSize(image) }
}

function answerOf(
  answer: string | undefined,
  value: Maybe<Value> | undefined,
): { answer?: string } {
  if (answer !== undefined) return { answer }
  return typeof value === 'string' ? { answer: value } : {}
}

function programOf(
  steps: PackedRun['steps'],
  given: string | undefined,
): { program: string; making?: MakingDocument } {
  const plan = steps.findLast((step) => step.kind === 'plan')
  const made = steps.findLast((step) => step.kind === 'program')
  if (made === undefined) return { program: given ?? '' }
  return {
    program: made.program,
    making: {
      by: made.by,
      attempts: made.attempt + 1,
      ...(made.confidence === undefined ? {} : { confidence: made.confidence }),
      ...(made.explanation === undefined ? {} : { explanation: made.explanation }),
      ...(plan === undefined ? {} : { plan: plan.plan }),
    },
  }
}

function errorOf(outcome: PackedRun['outcome']): { error?: ErrorData } {
  if (outcome.status === 'done') return {}
  if (outcome.status === 'error') return { error: outcome.error as ErrorData }
  const fields = { reason: outcome.reason }
  return { error: { kind: 'UserFault', code: 'T_ABORTED', message: outcome.reason, fields } }
}

function isPackedImage(value: unknown): value is PackedImage {
  return (value as PackedImage | null | undefined)?.type === 'image'
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** A document survives JSON; this says so to the compiler. */
export function asJson(document: RunDocument | StepDocument): Json {
  return document as unknown as Json
}
