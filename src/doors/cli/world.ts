import { openWorld } from '../../app/index.ts'
import { expected } from '../../base/index.ts'
import type { CommandInput } from './command.ts'
import { configFor } from './open.ts'
import { progressLine } from './progress.ts'

type World = Awaited<ReturnType<typeof openWorld>>

/** Works in the picture world with the command's configuration, its progress shown. */
export async function withWorld<T>(
  input: CommandInput,
  work: (world: World) => Promise<T>,
): Promise<T> {
  const { config } = await configFor(input)
  const line = progressLine(input.io, input.global)
  try {
    return await work(await openWorld(config, { signal: input.io.signal, progress: line.note }))
  } finally {
    line.clear()
  }
}

/** One of the words allowed for an option. @throws UserFault `E_ARGUMENT` naming them */
export function oneOf<T extends string>(
  value: unknown,
  name: string,
  allowed: readonly T[],
  otherwise: T,
): T {
  if (value === undefined) return otherwise
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw expected(`one of ${allowed.join(', ')}`, `--${name}`, value)
  return found
}
