import { join } from 'node:path'
import type { Environment } from './environment.ts'

/** Where things lie when nobody says otherwise. */
export interface Folders {
  readonly data: string
  readonly cache: string
  /** Holds the user's own `config.json` or `config.ts`. */
  readonly config: string
  /** What decided, for `config print --origin`. */
  readonly origin: string
}

/**
 * PUPIL_HOME overrides all; a project with a configuration file keeps its data in its own `.pupil/`; otherwise the
 * folders of the system (XDG on Linux).
 */
export async function defaultFolders(env: Environment, project?: string): Promise<Folders> {
  if (env.PUPIL_HOME !== undefined && env.PUPIL_HOME !== '') {
    const home = env.PUPIL_HOME
    return {
      data: join(home, 'data'),
      cache: join(home, 'cache'),
      config: join(home, 'config'),
      origin: 'PUPIL_HOME',
    }
  }
  const { default: envPaths } = await import('env-paths')
  const { data, cache, config } = envPaths('pupil', { suffix: '' })
  return project === undefined
    ? { data, cache, config, origin: 'default' }
    : { data: join(project, '.pupil'), cache, config, origin: 'project folder' }
}
