import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { writeJson } from '../report.ts'
import { table } from '../style.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const tokens = await withPupil(input, async (pupil) =>
    Promise.all(
      (await pupil.tokens.list()).map(async (one) => ({
        ...one,
        spentToday: await pupil.tokens.spent(one.id),
      })),
    ),
  )
  if (global.json) writeJson(io, { tokens })
  else if (tokens.length > 0) io.stdout.write(`${table(tokens.map(rowOf))}\n`)
  else if (!global.quiet) io.stderr.write('No tokens in this space.\n')
  return 0
}

function rowOf({
  id,
  name,
  scopes,
  budget,
  spentToday,
  revokedAt,
}: {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly budget: object
  readonly spentToday: object
  readonly revokedAt?: number
}): readonly string[] {
  const limits = Object.entries(budget).map(
    ([key, most]) => `${key} ${amountOf(spentToday, key)} of ${String(most)}`,
  )
  return [id, name, scopes.join(','), revokedAt === undefined ? limits.join(', ') : 'revoked']
}

function amountOf(spent: object, key: string): number {
  const amount = (spent as Readonly<Record<string, number>>)[key] ?? 0
  return Math.round(amount * 100) / 100
}
