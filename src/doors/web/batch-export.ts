import { strToU8, zipSync } from 'fflate'
import type { RunDocument, TagDocument } from '../../app/index.ts'
import { nameOf } from './batch.ts'
import type { BatchItem } from './batch.ts'
import { thingsFound } from './correction.ts'

/** A file to save. */
export interface Exported {
  readonly name: string
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
}

export type ExportForm = 'csv' | 'coco' | 'yolo' | 'labelStudio'

type Thing = Pick<TagDocument, 'box' | 'label' | 'score'>

/**
 * The things that a run says are in its picture: its tags, or what its last finding step found.
 *
 * Boxes in whole pixels of the original picture.
 */
export function thingsOf(run: RunDocument | undefined): readonly Thing[] {
  if (run === undefined) return []
  if (run.tags !== undefined) return run.tags
  const step = run.steps.findLast((one) => thingsFound(one).length > 0)
  return step === undefined ? [] : thingsFound(step)
}

export const EXPORTS: Readonly<Record<ExportForm, (items: readonly BatchItem[]) => Exported>> = {
  csv: (items) => ({ name: 'pupil.csv', type: 'text/csv', content: csv(items) }),
  coco: (items) => ({ ...JSON_FILE, name: 'pupil-coco.json', content: json(coco(items)) }),
  yolo: (items) => ({ name: 'pupil-yolo.zip', type: 'application/zip', content: yolo(items) }),
  labelStudio: (items) => ({
    ...{ ...JSON_FILE, name: 'pupil-label-studio.json' },
    content: json(labelStudio(items)),
  }),
}

const JSON_FILE = { type: 'application/json' }
const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** A row for each picture. */
function csv(items: readonly BatchItem[]): string {
  const head = ['file', 'state', 'answer', 'things', 'labels', 'score', 'run', 'error']
  const rows = items.map(({ file, state, run, error }) => {
    const things = thingsOf(run)
    const scores = things.flatMap(({ score }) => (score === null ? [] : [score]))
    return [
      ...[nameOf(file), state, run?.answer ?? '', String(things.length)],
      things.map(({ label }) => label).join('; '),
      scores.length === 0 ? '' : Math.min(...scores).toFixed(4),
      ...[run?.run ?? '', error?.message ?? ''],
    ]
  })
  return `${[head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/** Quoted where it must be; what a spreadsheet would run as a formula is made text. */
function cell(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

interface Told {
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  readonly run: RunDocument
  readonly things: readonly Thing[]
}

/** Pictures that have been answered, with their size. */
function toldOf(items: readonly BatchItem[]): readonly Told[] {
  return items.flatMap(({ file, state, run }) => {
    const size = Object.values(run?.inputs ?? {})[0]?.original
    if (state !== 'done' || run === undefined || size === undefined) return []
    return [{ name: nameOf(file), size, run, things: thingsOf(run) }]
  })
}

function labelsOf(told: readonly Told[]): readonly string[] {
  return [...new Set(told.flatMap(({ things }) => things.map(({ label }) => label)))].sort()
}

/** COCO's detection format; boxes as [x, y, width, height]. */
function coco(items: readonly BatchItem[]): unknown {
  const told = toldOf(items)
  const labels = labelsOf(told)
  const annotations = told.flatMap(({ things }, at) =>
    things.map(({ box: [x1, y1, x2, y2], label, score }) => ({
      ...{ image_id: at + 1, category_id: labels.indexOf(label) + 1 },
      ...{ bbox: [x1, y1, x2 - x1, y2 - y1], area: (x2 - x1) * (y2 - y1), iscrowd: 0 },
      ...(score === null ? {} : { score }),
    })),
  )
  return {
    info: { description: 'Made by Pupil' },
    images: told.map(({ name, size }, at) => ({ id: at + 1, file_name: name, ...size })),
    annotations: annotations.map((one, at) => ({ id: at + 1, ...one })),
    categories: labels.map((name, at) => ({ id: at + 1, name })),
  }
}

/** A text file for each picture, a line `class x y width height` for each thing, all in parts of the picture. */
function yolo(items: readonly BatchItem[]): Uint8Array<ArrayBuffer> {
  const told = toldOf(items)
  const labels = labelsOf(told)
  const files = told.map(({ name, size, things }) => {
    const lines = things.map(({ box: [x1, y1, x2, y2], label }) =>
      [
        String(labels.indexOf(label)),
        ...[(x1 + x2) / 2 / size.width, (y1 + y2) / 2 / size.height].map(six),
        ...[(x2 - x1) / size.width, (y2 - y1) / size.height].map(six),
      ].join(' '),
    )
    const text = lines.map((line) => `${line}\n`).join('')
    return [`labels/${name.replace(/\.[^./]+$/, '')}.txt`, strToU8(text)] as const
  })
  const names = labels.map((name, at) => `  ${at}: ${JSON.stringify(name)}\n`).join('')
  const zipped = zipSync({
    ...Object.fromEntries(files),
    'classes.txt': strToU8(labels.map((name) => `${name}\n`).join('')),
    'data.yaml': strToU8(`path: .\ntrain: images\nval: images\nnames:\n${names}`),
  })
  return new Uint8Array(zipped)
}

const six = (value: number): string => value.toFixed(6)

/** Tasks with predictions as Label Studio imports them; places in percent. */
function labelStudio(items: readonly BatchItem[]): unknown {
  return toldOf(items).map(({ name, size, run, things }) => {
    const { width, height } = size
    const places = things.map(({ box: [x1, y1, x2, y2], label, score }, at) => ({
      ...{ id: `thing-${at + 1}`, type: 'rectanglelabels' },
      ...{ from_name: 'label', to_name: 'image', original_width: width, original_height: height },
      value: {
        ...{ x: (x1 / width) * 100, y: (y1 / height) * 100 },
        ...{ width: ((x2 - x1) / width) * 100, height: ((y2 - y1) / height) * 100 },
        ...{ rotation: 0, rectanglelabels: [label] },
      },
      ...(score === null ? {} : { score }),
    }))
    const answer =
      run.answer === undefined
        ? []
        : [
            {
              ...{ id: 'answer', type: 'textarea', from_name: 'answer', to_name: 'image' },
              value: { text: [run.answer] },
            },
          ]
    return {
      data: { image: name, instruction: run.instruction },
      predictions: [{ model_version: 'pupil', result: [...places, ...answer] }],
    }
  })
}
