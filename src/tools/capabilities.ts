import type { Backend, Backends } from './backends.ts'

/** What a back end does for the tools, for `pupil doctor` and `pupil tools`. */
export interface Capability {
  readonly tools: readonly string[]
  readonly backend: string
  readonly can: readonly string[]
  readonly cannot: readonly string[]
}

/** Every configured back end with what it can and cannot do, in the order in which they are asked. */
export function capabilities(backends: Backends): readonly Capability[] {
  const of = (tools: readonly string[], list: readonly (Backend | undefined)[]): Capability[] =>
    list.flatMap((one) =>
      one === undefined ? [] : [{ tools, backend: one.name, can: one.can, cannot: one.cannot }],
    )
  return [
    ...of(['LOC'], backends.detectors),
    ...of(['FACEDET'], [backends.faces]),
    ...of(['SELECT', 'VQA'], [backends.identity]),
    ...of(['SEG'], backends.segmenters),
    ...of(['SELECT', 'CLASSIFY'], backends.matchers),
    ...of(['VQA'], backends.answerers),
    ...of(['CAPTION'], backends.captioners),
    ...of(['OCR'], [backends.reader]),
    ...of(['REPLACE'], backends.fillers),
    ...of(['LIST'], backends.listers),
  ]
}

/** Standard tools that nothing configured can do. */
export function missingTools(backends: Backends): readonly string[] {
  const needs: Readonly<Record<string, unknown>> = {
    LOC: backends.detectors[0],
    FACEDET: backends.faces,
    SEG: backends.segmenters[0],
    SELECT: backends.matchers[0],
    CLASSIFY: backends.matchers[0],
    VQA: backends.answerers[0],
    CAPTION: backends.captioners[0],
    OCR: backends.reader,
    REPLACE: backends.fillers[0],
    LIST: backends.listers[0],
  }
  return Object.keys(needs).filter((tool) => needs[tool] === undefined)
}
