import { WIRE } from '../../tools/index.ts'

/**
 * Lets through what the user reads of a text that grows: all of it, or, once it turns out to be the
 * three fields, what stands after the value's tag. Nothing of thoughts and actions gets through.
 */
export function valueFilter(): (delta: string) => string {
  let text = ''
  let told = 0
  let from: number | undefined
  return (delta) => {
    text += delta
    from ??= startOf(text)
    if (from === undefined) return ''
    const start = Math.max(from, told)
    told = Math.max(text.length, start)
    return text.slice(start)
  }
}

/** Where the value begins; undefined while it is not known. */
function startOf(text: string): number | undefined {
  const lead = text.trimStart()
  const isFields = lead.startsWith('"thoughts') || '"thoughts'.startsWith(lead)
  if (!isFields) return 0
  const at = text.lastIndexOf(WIRE.value)
  if (at < 0) return undefined
  const after = at + WIRE.value.length
  const blank = /^\s*/.exec(text.slice(after))?.[0].length ?? 0
  return text.length > after + blank ? after + blank : undefined
}
