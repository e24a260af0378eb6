import type { CommandInput } from '../command.ts'
import { configFor } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor, table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const { config, origins, file } = await configFor(input)
  if (global.json) {
    writeJson(io, options.origin === true ? { config, origins, file: file ?? null } : { config })
    return 0
  }
  const paint = paintFor(io.stdout, io, global.color)
  const rows = leaves(config).map(([path, value]) => [
    paint.cyan(path),
    JSON.stringify(value),
    ...(options.origin === true ? [paint.dim(origins[path] ?? 'default')] : []),
  ])
  io.stdout.write(`${table(rows)}\n`)
  return 0
}

/** Dotted paths with their values. */
function leaves(value: object, prefix = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? leaves(inner, `${prefix}${key}.`)
      : [[`${prefix}${key}`, inner] as const],
  )
}
