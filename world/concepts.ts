import classes from './concepts/classes.json' with { type: 'json' }
import concepts from './concepts/concepts.json' with { type: 'json' }

/** A thing that one noun names and that has a drawing (picture-world §1). */
export interface Concept {
  readonly id: string
  readonly label: string
  /** `a`, `an`, or nothing for plural and mass nouns. */
  readonly article: string
  readonly plural: string
  /** WordNet 3.1 sense key. */
  readonly synset: string
  /** Other names that mean this concept only. */
  readonly synonyms: readonly string[]
  /** Names that could mean another concept too: accepted for neither, used for neither. */
  readonly ambiguous: readonly string[]
  readonly group: string
  /** Its coloured parts may be tinted. */
  readonly tint: boolean
  /** Concepts that its drawings visibly show. */
  readonly contains: readonly string[]
  /** Emoji code points, the first one's drawing first; a face and its whole are one concept. */
  readonly codes: readonly string[]
  /** CLDR short names of the codes, by which packages without a code table are mapped. */
  readonly cldr: readonly string[]
  /** CLDR keywords, which the picture source searches. */
  readonly keywords: readonly string[]
  readonly split: 'known' | 'new'
}

/** The table of concepts. An import, so that the build carries it to `dist`. */
export async function readConcepts(): Promise<readonly Concept[]> {
  return concepts as readonly Concept[]
}

/** A class that can be asked about, with all of its members (picture-world §1). */
export interface ConceptClass {
  readonly label: string
  readonly plural: string
  readonly synset: string
  /** Ids of concepts. */
  readonly members: readonly string[]
}

/** The hand-checked list of askable classes. */
export async function readClasses(): Promise<readonly ConceptClass[]> {
  return classes
}
