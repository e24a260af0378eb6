import { sha256 } from '../../base/index.ts'
import type { Box } from '../../image/index.ts'
import type { FoundEntry, SourceOutput } from '../../tools/index.ts'
import { cleaned, suspectSpans } from './outside-text.ts'
import type { Entry, SeekTool, SourceRef } from './types.ts'

/** Entries of one call at most; more is not read but refined. */
const MOST_ENTRIES = 20

/**
 * What came back as entries that a reasoner reads: the infobox first, then answers, then results.
 *
 * @source avis §11
 */
export function entriesOf(
  tool: SeekTool,
  output: SourceOutput,
  from: { readonly provider: string; readonly step: number; readonly region?: string },
): readonly Entry[] {
  const source = (more: Partial<SourceRef> = {}): SourceRef => ({ tool, ...from, ...more })
  const list: Omit<Entry, 'id'>[] = []
  const add = (text: string, kind: string, ref: SourceRef, more: Partial<Entry> = {}): void => {
    const clean = cleaned(text).trim()
    if (clean !== '') {
      list.push({ text: clean, kind, source: ref, suspect: suspectSpans(clean), ...more })
    }
  }
  const page: Partial<SourceRef> = {
    ...(output.url === undefined ? {} : { url: output.url }),
    ...(output.title === undefined ? {} : { title: output.title }),
    ...(output.licence === undefined ? {} : { licence: output.licence }),
    ...(output.revision === undefined ? {} : { revision: output.revision }),
  }
  if (output.infobox !== undefined) add(infoboxText(output.infobox), 'infobox', source())
  for (const answer of output.answers ?? []) add(answer, 'answer', source())
  for (const entry of output.entries ?? []) {
    add(entryText(entry), entry.kind ?? 'page', source(refOf(entry)), detailsOf(entry))
  }
  for (const { label, score, box } of output.boxes ?? []) {
    add(label, 'object', source({ region: box.join(',') }), { score, boxes: [box] })
  }
  if (output.lines !== undefined) addLines(output, add, source)
  if (output.text !== undefined) {
    const text = output.title === undefined ? output.text : `${output.title}\n${output.text}`
    add(text, KINDS[tool] ?? 'text', source(page), {
      ...(output.date === undefined ? {} : { date: output.date }),
      ...(output.score === undefined ? {} : { score: output.score }),
    })
  }
  return list.slice(0, MOST_ENTRIES).map((entry, i) => ({ id: `e${i + 1}`, ...entry }))
}

const KINDS: Readonly<Partial<Record<SeekTool, string>>> = {
  ...{ caption: 'caption', vqa: 'answer', open_page: 'page', llm_qa: 'model' },
}

/** All lines as one entry, a line each, with their boxes beside. */
function addLines(
  output: SourceOutput,
  add: (text: string, kind: string, ref: SourceRef, more?: Partial<Entry>) => void,
  source: () => SourceRef,
): void {
  const lines = (output.lines ?? []).filter((line) => cleaned(line.text).trim() !== '')
  const boxes: readonly (Box | undefined)[] = lines.map((line) => line.box)
  const text = lines.map((line) => cleaned(line.text).replace(/\s+/g, ' ').trim()).join('\n')
  add(text, 'ocr', source(), { boxes })
}

function infoboxText(infobox: Readonly<Record<string, unknown>>): string {
  const { title, type, description, attributes, content } = infobox
  const head = [title, type].filter((one) => typeof one === 'string').join(', ')
  const facts =
    typeof attributes === 'object' && attributes !== null ? Object.entries(attributes) : []
  return [
    head === '' ? '' : `${head}.`,
    ...[description, content].filter((one): one is string => typeof one === 'string'),
    ...facts.map(([name, value]) => `${name}: ${String(value)}.`),
  ]
    .filter((one) => one !== '')
    .join('\n')
}

function entryText({ title, text, snippet, description }: FoundEntry): string {
  const body = text ?? snippet ?? description
  return [title, body].filter((one) => one !== undefined && one !== '').join('\n')
}

function refOf(entry: FoundEntry): Partial<SourceRef> {
  const { title, url, qid, revision, licence, provider } = entry
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(qid === undefined ? {} : { qid }),
    ...(revision === undefined ? {} : { revision }),
    ...(licence === undefined ? {} : { licence }),
  }
}

function detailsOf({ date, score }: FoundEntry): Partial<Entry> {
  return {
    ...(date === undefined ? {} : { date }),
    ...(score === undefined ? {} : { score }),
  }
}

/** The address of a stored text, by which a citation is checked. */
export function entryHash(entry: Pick<Entry, 'text'>): string {
  return sha256(entry.text)
}

/** The box of the line in which a quote stands, for OCR. */
export function quoteBox(entry: Entry, start: number): Box | undefined {
  if (entry.boxes === undefined) return undefined
  return entry.boxes[entry.text.slice(0, start).split('\n').length - 1]
}
