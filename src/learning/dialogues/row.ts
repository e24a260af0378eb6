import { UserFault } from '../../base/index.ts'
import { isDict, isList } from '../../tools/index.ts'
import type { PythonDict, PythonList, PythonValue } from '../../tools/index.ts'
import type { Dialogue, DialogueVariant } from './dialogue.ts'

/** A row from its entries, those that are undefined left out. */
export function row(
  entries: readonly (readonly [string, PythonValue | undefined])[],
): Map<string, PythonValue> {
  const made = new Map<string, PythonValue>()
  for (const [key, value] of entries) if (value !== undefined) made.set(key, value)
  return made
}

/** What of a dialogue no trainer has a place for; trainers pass over keys that they do not know. */
export function metaOf({ variant, skill, source }: Dialogue): PythonDict {
  return row([
    ['variant', variant],
    ['skill', skill],
    ['source', source],
  ])
}

/** The inverse; data of others is told apart by its turns only. */
export function readMeta(
  value: PythonValue | undefined,
): Pick<Dialogue, 'variant' | 'skill' | 'source'> {
  const meta = isDict(value) ? value : new Map<string, PythonValue>()
  const variant = meta.get('variant')
  const source = meta.get('source')
  return {
    variant: variant === 'plain' || variant === 'all-tools' ? variant : ('fly' as DialogueVariant),
    skill: textOr(meta.get('skill'), 'none'),
    source: source === 'run' || source === 'correction' ? source : 'annotation',
  }
}

export function textOr(value: PythonValue | undefined, other: string): string {
  return typeof value === 'string' ? value : other
}

export function wrong(id: string, field: string, what: string): UserFault {
  return new UserFault('E_DIALOGUE', `Dialogue ${id}: expected ${what} for ${field}.`, {
    fields: { id, field },
    cure: 'Correct that sample, or leave it out.',
  })
}

export function dictRow(value: PythonValue): PythonDict {
  if (isDict(value)) return value
  throw wrong('?', 'the row', 'an object')
}

export function listField(data: PythonDict, key: string): PythonList {
  const value = data.get(key)
  if (isList(value)) return value
  throw wrong(textOr(data.get('id'), '?'), key, 'a list')
}

/** The picture of a row, by any of the names that formats use (`file_name` is the reference's generator's). */
export function imageOf(data: PythonDict): string | undefined {
  const images = data.get('images')
  const first = isList(images) ? images[0] : undefined
  const named = data.get('image') ?? first ?? data.get('file_name')
  return typeof named === 'string' ? named : undefined
}

export function withImage(image: string | undefined): { image: string } | Record<string, never> {
  return image === undefined ? {} : { image }
}
