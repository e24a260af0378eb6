import type { Figure, FigureRow } from './figures.ts'

/** Rows as a Markdown table; shares in per cent with their 95 % interval. */
export function reportTable(rows: readonly FigureRow[]): string {
  const head =
    'family | concepts | wordings | n | metric | strict | by class | boxes alone | by seed | errors | fallbacks | same plan'
  const lines = rows.map((row) =>
    [
      ...[row.family, row.concept, row.wording, row.n, row.metric],
      ...[shown(row.strict), shown(row.byClass), row.located ? shown(row.located) : ''],
      row.strict.bySeed.map((value) => percent(value)).join(' / '),
      ...[row.errors, row.fallbacks, row.samePlans],
    ].join(' | '),
  )
  const rule = head
    .split(' | ')
    .map(() => '---')
    .join(' | ')
  return [head, rule, ...lines].map((line) => `| ${line} |`).join('\n')
}

function shown({ value, interval: [low, high] }: Figure): string {
  return `${percent(value)} (${percent(low)}–${percent(high)})`
}

const percent = (value: number): string => (100 * value).toFixed(1)
