/** Where notes for developers go; an interface only, `app` decides what stands behind it. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {} }
