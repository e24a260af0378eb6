import type { Run } from '../step.ts'
import type { SeekCallStep, SeekDecideStep, SeekReasonStep, SeekStep } from './types.ts'

interface Drawn {
  readonly id: string
  readonly title: string
  readonly detail: string
  /** Dead: uninformative, failed, or on a branch that was left. */
  readonly dead: boolean
  readonly depth: number
  readonly row: number
  readonly parent?: string
  readonly mark: string
}

const [WIDTH, HEIGHT, GAP_X, GAP_Y] = [190, 46, 28, 18]

/**
 * The path of a run through the graph, as an SVG: a box for each call, dead branches dashed and grey, numbers
 * instead of colours alone. Pure: no script, no link, no outside reference; every text escaped.
 */
export function seekPathSvg(run: Pick<Run, 'steps'>): string {
  const boxes = layout(run.steps as readonly SeekStep[])
  const depth = Math.max(0, ...boxes.map((one) => one.depth))
  const rows = Math.max(1, ...boxes.map((one) => one.row + 1))
  const width = (depth + 2) * (WIDTH + GAP_X) + GAP_X
  const height = rows * (HEIGHT + GAP_Y) + GAP_Y
  const byId = new Map(boxes.map((one) => [one.id, one]))
  const lines = boxes.map((one) =>
    link(one, one.parent === undefined ? undefined : byId.get(one.parent)),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="12">`,
    '<title>Path through the transition graph</title>',
    startBox(),
    ...lines,
    ...boxes.map(drawBox),
    '</svg>',
  ].join('\n')
}

const left = (depth: number): number => GAP_X + (depth + 1) * (WIDTH + GAP_X)
const top = (row: number): number => GAP_Y + row * (HEIGHT + GAP_Y)

function startBox(): string {
  const y = top(0)
  return `<g><rect x="${GAP_X}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="23" fill="none" stroke="currentColor"/><text x="${GAP_X + WIDTH / 2}" y="${y + 28}" text-anchor="middle" fill="currentColor">START</text></g>`
}

function link(to: Drawn, from: Drawn | undefined): string {
  const x1 = from === undefined ? GAP_X + WIDTH : left(from.depth) + WIDTH
  const y1 = top(from?.row ?? 0) + HEIGHT / 2
  const [x2, y2] = [left(to.depth), top(to.row) + HEIGHT / 2]
  const middle = x2 - GAP_X / 2
  const dash = to.dead ? ' stroke-dasharray="4 3" opacity="0.5"' : ''
  return `<path d="M${x1} ${y1}H${middle}V${y2}H${x2}" fill="none" stroke="currentColor"${dash}/>`
}

function drawBox({ title, detail, dead, depth, row, mark }: Drawn): string {
  const [x, y] = [left(depth), top(row)]
  const style = dead ? ' stroke-dasharray="4 3" opacity="0.55"' : ''
  return [
    `<g${style}><title>${escaped(`${title}: ${detail}`)}</title>`,
    `<rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="6" fill="none" stroke="currentColor"/>`,
    `<text x="${x + 8}" y="${y + 19}" font-weight="bold" fill="currentColor">${escaped(`${mark} ${title}`)}</text>`,
    `<text x="${x + 8}" y="${y + 36}" fill="currentColor">${escaped(cut(detail, 28))}</text></g>`,
  ].join('')
}

/** A row for each call in order; deeper under the call that opened its node. */
function layout(steps: readonly SeekStep[]): readonly Drawn[] {
  const drawn: Drawn[] = []
  /** Box of the call that opened a node. */
  const opener = new Map<number, Drawn>()
  const deadNodes = deadOnes(steps)
  steps.forEach((step, i) => {
    if (step.kind !== 'call' || !('sought' in step)) return
    const call = step as SeekCallStep
    const parent = opener.get(call.sought.node)
    const reading = steps.find(
      (one): one is SeekReasonStep => one.kind === 'reason' && (one as SeekReasonStep).call === i,
    )
    const opened = steps.slice(i + 1).find((one): one is SeekDecideStep => one.kind === 'decide')
    const failed = call.error !== undefined || reading?.verdict === 'uninformative'
    const node = opened?.node
    const isNew = node !== undefined && !failed && !opener.has(node) && node !== 0
    const box: Drawn = {
      id: `${i}`,
      title: call.tool,
      detail: detailOf(call, reading),
      dead: failed || (isNew && deadNodes.has(node)),
      depth: parent === undefined ? 0 : parent.depth + 1,
      row: drawn.length,
      mark: `${drawn.length + 1}${failed ? ' ✗' : reading?.verdict === 'answer' ? ' ✓' : ''}`,
      ...(parent === undefined ? {} : { parent: parent.id }),
    }
    drawn.push(box)
    if (isNew) opener.set(node, box)
  })
  return drawn
}

function deadOnes(steps: readonly SeekStep[]): ReadonlySet<number> {
  return new Set(
    steps.flatMap((step) =>
      step.kind === 'decide' && (step as SeekDecideStep).by === 'code'
        ? [(step as SeekDecideStep).node]
        : [],
    ),
  )
}

function detailOf(call: SeekCallStep, reading: SeekReasonStep | undefined): string {
  if (call.error !== undefined) return `error: ${call.sought.reason ?? call.error.code}`
  const what = call.args.find(({ name }) => name === 'q' || name === 'id')?.value
  const found = reading?.extracted ?? ''
  return found === '' ? String(what ?? reading?.why ?? '') : found
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
}
