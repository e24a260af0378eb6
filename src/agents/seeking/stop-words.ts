/** Words that say little about what is asked. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of in on at to for from by with and or is are was were be been do does did has have ' +
    'had this that these those it its what which who whom when where how why as there here please'
  ).split(' '),
)
