/** Variables of the process, as they are handed on. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The one place that looks at the process's environment; everything below is handed what it needs. */
export function readEnvironment(): Environment {
  return { ...process.env }
}
