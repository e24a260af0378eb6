import { SCOPES } from '../../../app/index.ts'
import type { Scope } from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { withPupil } from '../open.ts'
import { readBudget } from '../perform.ts'
import { writeJson } from '../report.ts'

/** Prints the token alone on stdout, so that it can be piped to where it belongs. */
export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const [name = ''] = input.args
  const request = { name, scopes: readScopes(options.scopes), budget: readBudget(options.budget) }
  const { token, record } = await withPupil(input, (pupil) => pupil.tokens.add(request))
  if (global.json) {
    writeJson(io, { token, ...record })
    return 0
  }
  io.stdout.write(`${token}\n`)
  if (!global.quiet) {
    io.stderr.write(
      `${record.id}, space "${record.space}". It is shown this once; only its digest is kept.\n`,
    )
  }
  return 0
}

function readScopes(text: unknown): readonly Scope[] {
  if (typeof text !== 'string') return SCOPES
  const words = text.split(',').map((word) => word.trim())
  const scopes = SCOPES.filter((scope) => words.includes(scope))
  if (scopes.length === new Set(words).size) return scopes
  throw new UserFault(
    'E_USAGE',
    `Expected some of ${SCOPES.join(', ')} for --scopes but got "${text}".`,
    {
      fields: { scopes: text, known: SCOPES },
    },
  )
}
