import { offers } from './families.ts'
import { isDisplayable } from './kind.ts'
import type { Family, Kind, Signature } from './signature.ts'

/** Names that a program assigns one after another, such as BOX0, BOX1, for what some tools give. */
export interface NameSeries {
  readonly prefix: string
  /** The tools whose results these names hold. */
  readonly tools: readonly Signature[]
  readonly kinds: readonly Kind[]
}

/** A series for each kind of value that the tools of a family give, named as people name them. */
export function nameSeries(tools: readonly Signature[], family: Family): readonly NameSeries[] {
  const named = tools.filter((one) => offers(family, one) && one.name !== 'RESULT')
  const groups = Map.groupBy(named, (one) => prefixOf(one, named, family))
  return [...groups].map(([prefix, tools]) => ({
    prefix: free(prefix, family),
    tools,
    kinds: tools.map(({ out }) => out),
  }))
}

/** The prefix, changed where an input or the result is named like its names. */
function free(prefix: string, family: Family): string {
  const { inputs, resultName } = family
  const taken = [...inputs.map(({ name }) => name), resultName]
  const isTaken = taken.some((name) => name.replace(/\d+$/, '') === prefix && name !== prefix)
  return isTaken ? free(`${prefix}_`, family) : prefix
}

/** LOC gives BOX0 and so on, other tools OBJ, IMAGE, LIST, ANSWER or VALUE, by what they give. */
function prefixOf(tool: Signature, others: readonly Signature[], { resultOf }: Family): string {
  if (tool.name === 'LOC') return 'BOX'
  const prefix = kindPrefix(tool.out)
  // Where only one tool may give the result, its names are told from those of like tools.
  const alone = others.every(({ name, out }) => name === resultOf || kindPrefix(out) !== prefix)
  return tool.name === resultOf && !alone ? 'OUT' : prefix
}

function kindPrefix(kind: Kind): string {
  if (kind === 'objects' || kind === 'object') return 'OBJ'
  if (kind === 'image') return 'IMAGE'
  if (kind === 'any') return 'VALUE'
  return typeof kind === 'object' ? 'LIST' : 'ANSWER'
}

/** What a program may refer to at some point. */
export interface KnownNames {
  /** The names of which every value passes. */
  of(passes: (kind: Kind) => boolean): readonly string[]
  /** Names that can be shown as text, and so stand in `{NAME}`. */
  shown(): readonly string[]
}

/**
 * The names known after some assignments.
 *
 * @param counts  how many names of each series are assigned
 */
export function knownNames(
  { inputs }: Family,
  series: readonly NameSeries[],
  counts: readonly number[],
): KnownNames {
  const assigned = (passes: (kind: Kind) => boolean): string[] =>
    series.flatMap(({ prefix, kinds }, i) =>
      kinds.every(passes) ? indices(counts[i] ?? 0).map((k) => `${prefix}${k}`) : [],
    )
  return {
    of: (passes) => [
      ...inputs.filter(({ kind }) => passes(kind)).map(({ name }) => name),
      ...assigned(passes),
    ],
    shown: () => assigned(isDisplayable),
  }
}

function indices(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => i)
}
