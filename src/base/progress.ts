/** One note of progress: what, how far, of how much. */
export interface ProgressNote {
  /** What is going on, such as `convert centernet` or `tune glove`. */
  readonly task: string
  readonly status: 'start' | 'progress' | 'done'
  readonly loaded?: number
  readonly total?: number
  readonly unit?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export type Progress = (note: ProgressNote) => void

export const noProgress: Progress = () => {}
