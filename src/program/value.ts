import type { Image, ObjectRecord } from '../image/index.ts'

/** A frozen value of the language (program-language §2); `null` is `none`. */
export type Value = Image | ObjectRecord | string | number | boolean | null | ListValue

export interface ListValue extends ReadonlyArray<Value> {}
