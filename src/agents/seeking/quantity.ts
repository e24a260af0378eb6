/** A number as it stands in a text, or a range of two. */
export interface Quantity {
  readonly low: number
  readonly high: number
  /** Canonical unit, such as `cm`; undefined when none is written. */
  readonly unit?: string
  /** As written, unit included. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** Digits after the point, of the number with most. */
  readonly digits: number
  /** Written as a word. */
  readonly word: boolean
}

interface Unit {
  readonly kind: string
  /** Factor to the kind's base; temperature has its own rule. */
  readonly factor: number
  readonly names: string
}

/** Units by canonical name: what they measure, how much of the base they are, how they are written. */
const UNITS: Readonly<Record<string, Unit>> = {
  mm: { kind: 'length', factor: 0.001, names: 'mm|millimet(?:re|er)s?' },
  cm: { kind: 'length', factor: 0.01, names: 'cm|centimet(?:re|er)s?' },
  m: { kind: 'length', factor: 1, names: 'm|met(?:re|er)s?' },
  km: { kind: 'length', factor: 1000, names: 'km|kilomet(?:re|er)s?' },
  in: { kind: 'length', factor: 0.0254, names: 'inch(?:es)?|in(?!\\s+[\\p{L}\\d])' },
  ft: { kind: 'length', factor: 0.3048, names: 'ft|f(?:oo|ee)t' },
  yd: { kind: 'length', factor: 0.9144, names: 'yd|yards?' },
  mi: { kind: 'length', factor: 1609.344, names: 'mi|miles?' },
  mg: { kind: 'mass', factor: 1e-6, names: 'mg|milligram(?:me)?s?' },
  g: { kind: 'mass', factor: 0.001, names: 'g|gram(?:me)?s?' },
  kg: { kind: 'mass', factor: 1, names: 'kg|kilo(?:gram(?:me)?)?s?' },
  t: { kind: 'mass', factor: 1000, names: 't|tonnes?|metric tons?' },
  lb: { kind: 'mass', factor: 0.45359237, names: 'lbs?|pounds?' },
  oz: { kind: 'mass', factor: 0.028349523125, names: 'oz|ounces?' },
  'm²': { kind: 'area', factor: 1, names: 'm²|m2|sq m|square met(?:re|er)s?' },
  'km²': { kind: 'area', factor: 1e6, names: 'km²|km2|sq km|square kilomet(?:re|er)s?' },
  ha: { kind: 'area', factor: 1e4, names: 'ha|hectares?' },
  acre: { kind: 'area', factor: 4046.8564224, names: 'acres?' },
  'ft²': { kind: 'area', factor: 0.09290304, names: 'ft²|sq ft|square f(?:oo|ee)t' },
  'mi²': { kind: 'area', factor: 2589988.110336, names: 'mi²|sq mi|square miles?' },
  ml: { kind: 'volume', factor: 0.001, names: 'ml|millilit(?:re|er)s?' },
  L: { kind: 'volume', factor: 1, names: 'l|lit(?:re|er)s?' },
  'm³': { kind: 'volume', factor: 1000, names: 'm³|m3|cubic met(?:re|er)s?' },
  gal: { kind: 'volume', factor: 3.785411784, names: 'gal|(?:us )?gallons?' },
  s: { kind: 'time', factor: 1, names: 's|sec(?:ond)?s?' },
  min: { kind: 'time', factor: 60, names: 'min|minutes?' },
  h: { kind: 'time', factor: 3600, names: 'h|hours?' },
  d: { kind: 'time', factor: 86400, names: 'days?' },
  wk: { kind: 'time', factor: 604800, names: 'weeks?' },
  mo: { kind: 'time', factor: 2629746, names: 'months?' },
  y: { kind: 'time', factor: 31556952, names: 'years?|yrs?' },
  'm/s': { kind: 'speed', factor: 1, names: 'm/s|met(?:re|er)s per second' },
  'km/h': { kind: 'speed', factor: 1 / 3.6, names: 'km/h|kph|kilomet(?:re|er)s per hour' },
  mph: { kind: 'speed', factor: 0.44704, names: 'mph|miles per hour' },
  kn: { kind: 'speed', factor: 0.514444, names: 'kn|knots?' },
  '°C': { kind: 'temperature', factor: 1, names: '°c|℃|degrees celsius|celsius' },
  '°F': { kind: 'temperature', factor: 1, names: '°f|℉|degrees fahrenheit|fahrenheit' },
  K: { kind: 'temperature', factor: 1, names: 'kelvins?' },
}

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: Readonly<Record<string, number>> = {
  ...{ hundred: 100, thousand: 1000, million: 1e6, billion: 1e9, dozen: 12 },
}
const WORD_NUMBER = `(?:${TENS.join('|')})(?:[- ](?:${WORDS.slice(1, 10).join('|')}))?|${[...WORDS].reverse().join('|')}`
const DIGITS = String.raw`\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`
const NUMBER = `(?:(?<![\\p{L}\\p{N}])[-−](?=\\d))?(?:${DIGITS})|\\b(?:${WORD_NUMBER}|a dozen)\\b`
const UNIT = Object.values(UNITS)
  .map(({ names }) => names)
  .join('|')
const FIND = new RegExp(
  `(${NUMBER})(?:[\\s-]*(${UNIT})(?![\\p{L}\\p{N}/]))?(?:\\s*(?:–|—|-|\\bto\\b)\\s*(${NUMBER}))?(?:\\s*(hundred|thousand|million|billion|dozen)\\b)?(?:[\\s-]*(${UNIT})(?![\\p{L}\\p{N}]))?`,
  'giu',
)
const UNIT_OF = Object.entries(UNITS).map(
  ([name, { names }]) => [name, new RegExp(`^(?:${names})$`, 'iu')] as const,
)

/** The canonical name of a unit as written; undefined for no unit. */
export function unitName(text: string): string | undefined {
  const plain = text.trim()
  if (Object.hasOwn(UNITS, plain)) return plain
  return UNIT_OF.find(([, pattern]) => pattern.test(plain))?.[0]
}

/** Every number or range of a text, with its unit where one stands after it. */
export function quantities(text: string): readonly Quantity[] {
  const found: Quantity[] = []
  for (const match of text.matchAll(FIND)) {
    const [whole, first = '', inner, second, scale, unitText] = match
    // A number that is a part of a word or of a longer figure is none.
    if (/[\p{L}\p{N}]$/u.test(text.slice(0, match.index)) && !/^[-−]/.test(first)) continue
    const factor = scale === undefined ? 1 : (SCALES[scale.toLowerCase()] ?? 1)
    const a = readNumber(first) * factor
    const b = second === undefined ? a : readNumber(second) * factor
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue
    const written = unitText ?? inner
    const unit = written === undefined ? undefined : unitName(written)
    found.push({
      ...{ low: Math.min(a, b), high: Math.max(a, b), text: whole.trim() },
      ...{ start: match.index, end: match.index + whole.trimEnd().length },
      ...(unit === undefined ? {} : { unit }),
      digits: Math.max(decimals(first), decimals(second ?? '')),
      word: !/\d/.test(first),
    })
  }
  return found
}

function readNumber(text: string): number {
  const plain = text
    .toLowerCase()
    .replace(/[,\u00a0\u202f]/g, '')
    .replace('−', '-')
  if (/\d/.test(plain)) return Number(plain)
  if (plain === 'a dozen') return 12
  const [ten = '', one] = plain.split(/[- ]/)
  if (TENS.includes(ten))
    return (TENS.indexOf(ten) + 2) * 10 + (one === undefined ? 0 : WORDS.indexOf(one))
  return WORDS.indexOf(plain)
}

function decimals(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]?.length ?? 0
}

/** What a unit measures, such as `length`. */
export function unitKind(unit: string): string | undefined {
  return UNITS[unit]?.kind
}

/** A number in another unit of the same kind; undefined when the kinds differ. */
export function convert(value: number, from: string, to: string): number | undefined {
  const [a, b] = [UNITS[from], UNITS[to]]
  if (a === undefined || b === undefined || a.kind !== b.kind) return undefined
  if (from === to) return value
  if (a.kind === 'temperature') return toTemperature(fromTemperature(value, from), to)
  return (value * a.factor) / b.factor
}

function fromTemperature(value: number, unit: string): number {
  return unit === '°F' ? ((value - 32) * 5) / 9 : unit === 'K' ? value - 273.15 : value
}

function toTemperature(celsius: number, unit: string): number {
  return unit === '°F' ? (celsius * 9) / 5 + 32 : unit === 'K' ? celsius + 273.15 : celsius
}

/** A quantity in another unit, its significant digits kept, as text: `6.54 - 6.86 cm`. */
export function convertedText(quantity: Quantity, to: string): string | undefined {
  const { low, high, unit, text } = quantity
  if (unit === undefined) return undefined
  const figures = text.match(/\d[\d,.]*/g) ?? []
  const write = (value: number, written: string | undefined): string | undefined => {
    const converted = convert(value, unit, to)
    if (converted === undefined) return undefined
    const significant = written === undefined ? 3 : significantDigits(written)
    return String(Number(converted.toPrecision(Math.max(1, significant))))
  }
  const first = write(low, figures[0])
  const second = low === high ? undefined : write(high, figures[1] ?? figures[0])
  if (first === undefined) return undefined
  return second === undefined ? `${first} ${to}` : `${first} - ${second} ${to}`
}

function significantDigits(written: string): number {
  const digits = written
    .replace(/[,.]+$/, '')
    .replace(/[.,]/g, '')
    .replace(/^0+/, '')
  return Math.max(1, digits.length)
}

/** Whether two quantities mean the same: both ends within 1 % after conversion. */
export function sameQuantity(a: Quantity, b: Quantity): boolean {
  const to = a.unit
  const read = (value: number): number | undefined =>
    b.unit === undefined || to === undefined ? value : convert(value, b.unit, to)
  const [low, high] = [read(b.low), read(b.high)]
  return low !== undefined && high !== undefined && near(a.low, low) && near(a.high, high)
}

function near(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 0.01 * Math.max(Math.abs(a), Math.abs(b))
}
