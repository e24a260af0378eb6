import { readFile } from 'node:fs/promises'
import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { pathFrom, withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { paintFor } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const [expression = ''] = input.args
  const state = await readState(input)
  const result = await withPupil(input, (pupil) => pupil.programs.evaluate(expression, state))
  if (global.json) writeJson(io, result)
  if ('value' in result) {
    if (!global.json) io.stdout.write(`${shown(result.value)}\n`)
    return 0
  }
  if (!global.json) {
    const { code, at, message } = result.error
    const paint = paintFor(io.stderr, io, global.color)
    if (at !== undefined) io.stderr.write(`  ${expression}\n  ${' '.repeat(at)}^\n`)
    io.stderr.write(`${paint.red('error:')} ${code} ${message}\n`)
  }
  return 1
}

async function readState(input: CommandInput): Promise<Readonly<Record<string, unknown>>> {
  const given = (input.options.state as string | undefined) ?? '{}'
  const text = given.trim().startsWith('{') ? given : await readStateFile(input, given)
  let state: unknown
  try {
    state = JSON.parse(text)
  } catch (cause) {
    throw badState(given, (cause as Error).message, cause)
  }
  if (typeof state !== 'object' || state === null || Array.isArray(state)) {
    throw badState(given, 'it is no object')
  }
  return state as Record<string, unknown>
}

async function readStateFile(input: CommandInput, path: string): Promise<string> {
  try {
    return await readFile(pathFrom(input, path), 'utf8')
  } catch (cause) {
    throw badState(path, 'there is no such file', cause)
  }
}

function badState(given: string, reason: string, cause?: unknown): UserFault {
  return new UserFault(
    'E_USAGE',
    `Expected a JSON object for --state but got "${given}" (${reason}).`,
    {
      fields: { state: given, reason },
      cure: `Write it like --state '{"ANSWER0": 3}', or give a JSON file.`,
      cause,
    },
  )
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return 'none'
  return Array.isArray(value) ? value.map(shown).join(', ') : String(value)
}
