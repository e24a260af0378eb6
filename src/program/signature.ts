/**
 * What kinds of values the language has (program-language §2). `scalar` is text, number, bool or none
 * (what EVAL gives); `any` passes statically and is checked at run time.
 */
export type Kind =
  | 'image'
  | 'objects'
  | 'object'
  | 'text'
  | 'number'
  | 'bool'
  | 'none'
  | 'scalar'
  | 'any'
  | { readonly list: Kind }

/**
 * What an argument accepts. Besides kinds: `integer`; `texts` (a text, split at commas by the tool, or
 * a list of texts); `list` (any list); `expression` (an EVAL text, not substituted); `variable` (a
 * name, of any kind); `emoji` (a name out of `values`, not substituted).
 */
export type ArgType =
  | 'image'
  | 'objects'
  | 'text'
  | 'texts'
  | 'integer'
  | 'number'
  | 'bool'
  | 'list'
  | 'expression'
  | 'variable'
  | 'emoji'

export interface ArgSpec {
  readonly name: string
  readonly type: ArgType
  /** Makes the argument optional. */
  readonly default?: string | number | boolean | null
  readonly min?: number
  readonly max?: number
  /** The only texts allowed, in canonical form; compared in lower case with blanks as `_`. */
  readonly values?: readonly string[]
  /** What models read about the argument. */
  readonly about: string
}

/** A tool as the language sees it; parser, checker, prompts and trace know tools only by it. */
export interface Signature {
  readonly name: string
  readonly args: readonly ArgSpec[]
  readonly out: Kind
  /** Task families that offer it; `open` offers all. */
  readonly families: readonly string[]
  /** One or two sentences that models and people read. */
  readonly about: string
  /** True for tools that corrections can tune (LOC VQA SEG SELECT CLASSIFY REPLACE). */
  readonly learnable?: boolean
  /** Time limit of a call in milliseconds where the run's own (60 s) is not right. */
  readonly limitMs?: number
}

/** How the answer of a family is written (program-language §4, last column of the table). */
export type AnswerForm = 'text' | 'truth' | 'image' | 'tags' | 'value'

/** A task family is data; users may add their own (program-language §4). */
export interface Family {
  readonly name: string
  readonly about: string
  /** Names and kinds of the inputs, such as IMAGE, or LEFT and RIGHT. */
  readonly inputs: readonly { readonly name: string; readonly kind: Kind }[]
  /** Name of the last variable by convention. */
  readonly resultName: string
  /** Kinds that RESULT may have. */
  readonly result: readonly Kind[]
  /** Tools offered beside those whose signature names the family; `all` offers every tool. */
  readonly tools?: readonly string[] | 'all'
  /** RESULT must be what this tool gave (tagging: TAG). */
  readonly resultOf?: string
  /** Default `value`. */
  readonly form?: AnswerForm
  /** Longer side to which inputs are reduced; null keeps them. */
  readonly maxSide: number | null
}
