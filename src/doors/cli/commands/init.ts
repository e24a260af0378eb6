import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { folderOf } from '../open.ts'
import { writeFile } from '../output.ts'
import { writeJson } from '../report.ts'

const CONFIG = `import type { UserConfig } from 'pupil'

// Everything here is optional; "pupil config print --origin" shows what is set and where it came from.
export default {
  // Whose runs and lessons these are.
  space: 'home',

  // Language models by role, as provider/model. None is needed: without a planner, programs are made by analogy with
  // demonstrations.
  models: {
    // planner: 'ollama/qwen3:4b',
    // vqa: 'ollama/qwen2.5vl:7b',
    // generator: 'openai-compatible/NAME', // an image model, for REPLACE
  },

  // Limits of one run.
  budget: {
    // calls: 20, tokens: 50_000, seconds: 120, money: 0.1,
  },
} satisfies UserConfig
`

export async function run(input: CommandInput): Promise<number> {
  const { io, global, options } = input
  const folder = folderOf(input)
  const path = join(folder, 'pupil.config.ts')
  const there = await access(path).then(
    () => true,
    () => false,
  )
  if (there && options.force !== true) {
    throw new UserFault('E_EXISTS', `${path} is there already.`, {
      fields: { path },
      cure: 'Use --force to replace it.',
    })
  }
  await writeFile(path, CONFIG)
  // Runs and pictures stay out of version control.
  await writeFile(join(folder, '.pupil', '.gitignore'), '*\n')
  if (global.json) writeJson(io, { config: path, data: join(folder, '.pupil') })
  else if (!global.quiet) {
    io.stdout.write(`Written ${path}; runs are kept in ${join(folder, '.pupil')}.\n`)
    io.stdout.write('Next: pupil doctor, or pupil ask PICTURE "How many people are there?"\n')
  }
  return 0
}
