/**
 * Records a person's decisions on knowledge questions of the picture world, for the examples that ship.
 *
 * What the person typed stands in a file, line by line as `pupil study answer` takes it, so that a record can be made
 * again: `node bench/seek-record.ts bench/seek-record-lines.json -o src/agents/seeking/world-decisions.json`. Where the lines of a question end, what the
 * person would be shown next is printed; tools are those of the bench, which err at stated rates, and WordNet.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createSeekingAgent, decisionsOfRun, seekOutcome } from '../src/agents/index.ts'
import type { Person, PersonView } from '../src/agents/index.ts'
import { createImage } from '../src/image/index.ts'
import { openWordnet, wordnetFacts } from '../src/tools/index.ts'
import { fakeClock } from '../src/testing/index.ts'
import { choiceOf, readingOf } from '../src/doors/cli/study-person.ts'
import { makeTasks, openLibrary } from '../world/index.ts'
import { worldTools } from './seek-world.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', short: 'o' },
    count: { type: 'string', default: '12' },
    cache: { type: 'string', default: `${process.env['HOME'] ?? '.'}/.cache/pupil/world` },
  },
})
/** Scenes and questions of training seeds and wordings that no table of the bench uses. */
const SEED = 7
const STYLE = 'noto'
/** When these lines were typed. */
const RECORDED_AT = Date.UTC(2026, 11, 1, 5, 37)

class NoMoreLines extends Error {}

const typed = JSON.parse(await readFile(positionals[0] ?? '', 'utf8')) as Record<string, string[]>
const wordnet = await openWordnet()
const library = await openLibrary([STYLE], { cacheFolder: flags.cache })
const tasks = makeTasks(library, {
  ...{ family: 'knowledge', count: Number(flags.count), seed: SEED, split: 'known' },
  ...{ wording: 'train', styles: [STYLE] },
})

function show(n: number, view: PersonView, more: string): void {
  const { question, asked, phase, state, known, actions, objects, problem } = view
  const moves = actions.map(
    ({ tool, args }, i) => `${i + 1} ${tool}${args.q ? ` "${args.q}"` : ''}`,
  )
  console.log(`\n[${n}] ${question} | now: ${asked} (${phase}, after ${state})`)
  if (problem !== undefined) console.log(`   ! ${problem}`)
  if (known.length > 0) console.log(`   known: ${known.join(' | ').slice(0, 300)}`)
  console.log(`   ${more || moves.join('; ')}`)
  if (more === '')
    console.log(
      `   objects: ${objects.map(({ id, label, box }) => `${id} ${label} at ${Math.round((box[0] + box[2]) / 2)},${Math.round((box[1] + box[3]) / 2)}`).join(', ')}`,
    )
}

function personOf(n: number, lines: readonly string[]): Person {
  let at = 0
  return {
    choose: async (view) => {
      const line = lines[at++]
      if (line === undefined) show(n, view, '')
      return line === undefined || line === 'stop' ? undefined : choiceOf(line)
    },
    read: async (output) => {
      const line = lines[at++]
      const reading = line === undefined ? undefined : readingOf(line, output)
      if (reading !== undefined && typeof reading !== 'string') return reading
      const told = output.entries.map(({ id, text }) => `${id.slice(1)}: ${text.slice(0, 700)}`)
      show(n, output, `${reading ?? ''}${output.tool} found:\n   ${told.join('\n   ')}`)
      throw new NoMoreLines('no more lines')
    },
  }
}

const records: string[] = []
for (const [n, task] of tasks.entries()) {
  const [scene] = task.scenes
  if (scene === undefined) continue
  const raw = library.paint(scene.recipe)
  const image = createImage(raw.rgb, raw.width, raw.height)
  const agent = createSeekingAgent({
    providers: [
      ...worldTools(library.lexicon, scene.graph, { seed: `study/${scene.image}` }),
      wordnetFacts(async () => wordnet),
    ],
    clock: fakeClock(),
    person: personOf(n, typed[n] ?? []),
  })
  const run = await agent.run(
    {
      ...{ agent: 'seeking', family: 'seek', instruction: task.instruction, seed: n },
      inputs: { IMAGE: image },
    },
    { id: `study-world-${n}` },
  )
  if (run.outcome.status === 'error') console.log(n, JSON.stringify(run.outcome).slice(0, 400))
  const outcome = seekOutcome(run)
  const said = outcome?.answer?.short
  if (said !== undefined) {
    const right = [task.answer, ...(task.accepted ?? [])].includes(said)
    console.log(
      `[${n}] ${task.instruction} -> ${said} (${right ? 'right' : `wrong, ${task.answer}`})`,
    )
  }
  const made = decisionsOfRun(run, { actor: 'human', consent: true })
  records.push(...made.map((one) => JSON.stringify({ ...one, at: RECORDED_AT, ms: 0 })))
}
if (flags.out !== undefined) await writeFile(flags.out, `[\n${records.join(',\n')}\n]\n`)
console.log(`\n${records.length} decisions`)
