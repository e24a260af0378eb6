import type { PythonValue } from './python-value.ts'
import { isDict, isList } from './python-value.ts'

/**
 * The value as `json.dumps` writes it by default: `, ` and `: ` between, ASCII only, `NaN` and `Infinity`
 * as words.
 *
 * @source llava-plus §2.1, §2.6
 */
export function pythonJson(value: PythonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'string') return asciiString(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 'NaN'
    if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
    return pythonFloat(value)
  }
  if (isDict(value)) {
    const entries = [...value].map(([key, one]) => `${asciiString(key)}: ${pythonJson(one)}`)
    return `{${entries.join(', ')}}`
  }
  return `[${value.map(pythonJson).join(', ')}]`
}

/** Compact UTF-8 JSON, as the replies of workers are written. */
export function compactJson(value: PythonValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (isDict(value)) {
    return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}:${compactJson(one)}`).join(',')}}`
  }
  return isList(value) ? `[${value.map(compactJson).join(',')}]` : pythonJson(value)
}

/** A JSON string in ASCII: everything above U+007E as lower-case `\uXXXX`, surrogates in pairs. */
export function asciiString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, escaped)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The value as Python's `repr` writes it. */
export function pythonRepr(value: PythonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return reprString(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 'nan'
    if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
    return pythonFloat(value)
  }
  if (isDict(value)) {
    return `{${[...value].map(([key, one]) => `${reprString(key)}: ${pythonRepr(one)}`).join(', ')}}`
  }
  return `[${value.map(pythonRepr).join(', ')}]`
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }

function reprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let out = ''
  for (const char of text) {
    if (char === '\\' || char === quote) out += `\\${char}`
    else if (SHORT[char] !== undefined) out += SHORT[char]
    else if (char !== ' ' && /[\p{C}\p{Z}]/u.test(char)) out += codeOf(char)
    else out += char
  }
  return quote + out + quote
}

function codeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** A float in Python's spelling: shortest digits, a point or an exponent always. */
export function pythonFloat(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  if (value === 0) return '0.0'
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? '-' : '+'
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (exponent < 0) return plainSmall(mantissa, exponent)
  const text = value.toString()
  return text.includes('.') ? text : `${text}.0`
}

function plainSmall(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
}
