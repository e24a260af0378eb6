// The final styles, opened here and nowhere else: `node bench/world-final.ts RUNNER [LOG] [COUNT]`.
// RUNNER is a module that exports `evaluate(tasks, library)`: it answers the tasks with the frozen system
// and gives a row of figures. Every opening is logged with commit and date before anything is read, and
// the figures are written down whatever they are. Nothing is chosen on them.
import { execFileSync } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { createLibrary, makeTasks, openLexicon } from '../world/index.ts'
import type { Library, Task } from '../world/index.ts'
import { loadFinalSprites } from '../world/final/load-final.ts'

interface Runner {
  evaluate(
    tasks: readonly Task[],
    library: Library,
  ): Promise<Readonly<Record<string, number | string>>>
}

const [runnerPath, log = 'bench/final-openings.log', size = '500'] = process.argv.slice(2)
if (runnerPath === undefined) {
  console.error('Expected a module with "evaluate": node bench/world-final.ts RUNNER [LOG] [COUNT]')
  process.exit(2)
}
const runner = (await import(pathToFileURL(runnerPath).href)) as Runner
const commit = execFileSync('git', ['rev-parse', 'HEAD']).toString().trim()
const lexicon = await openLexicon()

for (const style of ['final-a', 'final-b'] as const) {
  const at = new Date().toISOString()
  const library = createLibrary(lexicon, await loadFinalSprites(style, { commit, at, log }))
  for (const family of ['gqa', 'nlvr', 'imgedit', 'tagging', 'knowledge'] as const) {
    for (const seed of [0, 1, 2]) {
      const tasks = makeTasks(library, {
        ...{ family, seed, count: Number(size), styles: [style], seeds: 'final' },
      })
      const figures = await runner.evaluate(tasks, library)
      const row = JSON.stringify({ style, family, seed, n: tasks.length, ...figures })
      console.log(row)
      await appendFile(log, `${row}\n`)
    }
  }
}
