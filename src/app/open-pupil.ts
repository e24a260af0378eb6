import { readEnvironment } from './environment.ts'
import type { ResolveOptions } from './config.ts'
import { resolveConfig } from './config.ts'
import { createPupil } from './create-pupil.ts'
import type { Pupil, PupilOptions } from './pupil.ts'

export interface OpenPupilOptions extends Omit<PupilOptions, 'env'> {
  /** Settings that win over files and variables. */
  readonly config?: ResolveOptions['flags']
  /** A configuration file to read; default: the project's. */
  readonly file?: string
  readonly cwd?: string
  readonly env?: PupilOptions['env']
}

/**
 * An assistant with the configuration of this process: files, environment, and what is given here.
 *
 * @throws UserFault `E_CONFIG`
 */
export async function openPupil(options: OpenPupilOptions = {}): Promise<Pupil> {
  const { config: flags = {}, file, cwd, env = readEnvironment(), ...rest } = options
  const { config } = await resolveConfig({
    ...{ env, flags },
    ...(file === undefined ? {} : { file }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  return createPupil(config, { ...rest, env })
}
