/** One thing that was looked at. */
export interface Finding {
  readonly name: string
  readonly state: 'good' | 'missing' | 'bad'
  readonly detail: string
  /** How to get it or mend it, one line. */
  readonly cure?: string
}

/** Whose work a model is, and under which terms it comes. */
export interface Licence {
  readonly model: string
  readonly package: string
  readonly licence: string
  readonly note: string
}

export interface Diagnosis {
  readonly version: string
  readonly node: string
  readonly findings: readonly Finding[]
  readonly licences: readonly Licence[]
}
