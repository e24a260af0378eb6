/**
 * The command line as a person meets it: `--help`, and a cold question about a photograph.
 *
 * Each figure is a whole process, from start to exit, with a warm disk, compile cache and converted models, as
 * from the second call on. The first call converts a model (0.5 to 1 s more).
 * Repeat with: node bench/cli.ts [--rounds 10] [--picture FILE]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    picture: { type: 'string', default: here('../test/fixtures/photos/astronaut.jpg') },
  },
})
const home = mkdtempSync(join(tmpdir(), 'pupil-bench-'))

interface Sample {
  readonly ms: number
  /** Largest resident set in MB. */
  readonly peak: number
}

/** The peak of a finished process is known only inside it: this prints it as the process exits. */
const PEAK =
  "process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))"

function once(args: readonly string[]): Sample {
  const start = performance.now()
  const preload = `data:text/javascript,${encodeURIComponent(PEAK)}`
  const done = spawnSync(
    process.execPath,
    ['--import', preload, here('../bin/pupil.js'), ...args],
    {
      env: { ...process.env, PUPIL_HOME: home, NO_COLOR: '1' },
      encoding: 'utf8',
    },
  )
  const ms = performance.now() - start
  if (done.status !== 0) throw new Error(`pupil ${args.join(' ')} failed: ${done.stderr}`)
  return { ms, peak: Number(/peak (\d+)/.exec(done.stderr)?.[1]) / 1024 }
}

function row(name: string, args: readonly string[], target: string): string {
  once(args)
  const samples = Array.from({ length: Number(values.rounds) }, () => once(args))
  const times = samples.map((one) => one.ms).sort((a, b) => a - b)
  const [best = 0, middle = 0] = [times[0], times[Math.floor(times.length / 2)]]
  const peak = Math.max(...samples.map((one) => one.peak))
  return `| ${name} | ${best.toFixed(0)} ms | ${middle.toFixed(0)} ms | ${peak.toFixed(0)} MB | ${target} |`
}

try {
  console.log('| command | best | median | peak memory | target |')
  console.log('|---|---|---|---|---|')
  console.log(row('pupil --help', ['--help'], '150 ms'))
  console.log(row('pupil program check', ['program', 'check', here('cli-program.txt')], '–'))
  const ask = ['ask', values.picture, 'How many people are there?']
  console.log(row('pupil ask … "How many people are there?"', ask, '1500 ms, 600 MB'))
} finally {
  rmSync(home, { recursive: true, force: true })
}
