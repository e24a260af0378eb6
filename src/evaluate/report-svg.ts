import type { FigureRow } from './figures.ts'

const BAR = { height: 22, gap: 8, left: 170, width: 420, top: 48 } as const
const COLOURS = { known: '#2f6f8f', new: '#c2703d' } as const

/** Bars of the rows over all wordings with their 95 % intervals, as SVG: known and new beside each other. */
export function reportSvg(rows: readonly FigureRow[], title: string): string {
  const bars = rows.filter(({ wording }) => wording === 'all')
  const height = BAR.top + bars.length * (BAR.height + BAR.gap) + 40
  const width = BAR.left + BAR.width + 90
  const body = bars.map((row, i) => bar(row, BAR.top + i * (BAR.height + BAR.gap)))
  const axis = [0, 25, 50, 75, 100].map((mark) => {
    const x = BAR.left + (mark / 100) * BAR.width
    return (
      `<line x1="${x}" y1="${BAR.top - 6}" x2="${x}" y2="${height - 28}" stroke="#ddd"/>` +
      `<text x="${x}" y="${height - 12}" text-anchor="middle" fill="#555">${mark} %</text>`
    )
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="12" y="24" font-size="15" fill="#222">${escaped(title)}</text>`,
    ...axis,
    ...body,
    '</svg>',
  ].join('\n')
}

function bar({ family, concept, n, metric, strict }: FigureRow, y: number): string {
  const at = (value: number): number => BAR.left + value * BAR.width
  const [low, high] = strict.interval
  const middle = y + BAR.height / 2
  return [
    `<text x="${BAR.left - 8}" y="${middle + 4}" text-anchor="end" fill="#222">${family}, ${concept} (${n})</text>`,
    `<rect x="${BAR.left}" y="${y}" width="${strict.value * BAR.width}" height="${BAR.height}" fill="${COLOURS[concept]}"><title>${metric}</title></rect>`,
    `<line x1="${at(low)}" y1="${middle}" x2="${at(high)}" y2="${middle}" stroke="#222" stroke-width="2"/>`,
    `<text x="${at(high) + 8}" y="${middle + 4}" fill="#222">${(100 * strict.value).toFixed(1)}</text>`,
  ].join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
