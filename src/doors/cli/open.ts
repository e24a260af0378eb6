import { resolve } from 'node:path'
import { createPupil, resolveConfig } from '../../app/index.ts'
import type { Profile, Pupil, ResolvedConfig, UserConfig } from '../../app/index.ts'
import type { CommandInput } from './command.ts'

/** The folder that relative paths are meant from. */
export function folderOf({ global, io }: CommandInput): string {
  return global.cwd === undefined ? io.cwd : resolve(io.cwd, global.cwd)
}

/** A path as it was written, from the command's folder. */
export function pathFrom(input: CommandInput, path: string): string {
  return resolve(folderOf(input), path)
}

/** The configuration with the command's flags on top. */
export async function configFor(
  input: CommandInput,
  more: UserConfig = {},
): Promise<ResolvedConfig> {
  const { global, io } = input
  const { data, store, space, profile, config } = global
  const flags = {
    ...(data === undefined ? {} : { data }),
    ...(store === undefined ? {} : { store }),
    ...(space === undefined ? {} : { space }),
    // What is no profile is refused by the schema, which names them.
    ...(profile === undefined ? {} : { profile: profile as Profile }),
    ...more,
  }
  return resolveConfig({
    env: io.env,
    cwd: folderOf(input),
    flags,
    ...(config === undefined ? {} : { file: config }),
  })
}

/** Opens Pupil for one command and closes it afterwards. */
export async function withPupil<T>(
  input: CommandInput,
  work: (pupil: Pupil) => Promise<T>,
  more: UserConfig = {},
): Promise<T> {
  const { config } = await configFor(input, more)
  const pupil = createPupil(config, { env: input.io.env })
  try {
    return await work(pupil)
  } finally {
    await pupil.close()
  }
}
