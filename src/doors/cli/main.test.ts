import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { buildCommands } from './parse.ts'
import { COMMANDS } from './commands.ts'
import type { CommandSpec } from './command.ts'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'

const pupil = commandLine('cli')
after(() => pupil.remove())
const { folder } = pupil
const json = documentOf

function* leafCommands(
  specs: readonly CommandSpec[],
  before: readonly string[] = [],
): Generator<string[]> {
  for (const spec of specs) {
    yield [...before, spec.name]
    yield* leafCommands(spec.commands ?? [], [...before, spec.name])
  }
}

for (const words of leafCommands(COMMANDS)) {
  test(`pupil ${words.join(' ')} --help explains itself with examples`, async () => {
    const { code, out, err } = await pupil([...words, '--help'])
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /Examples:\n {2}\S/)
    assert.ok(out.includes(`pupil ${words[0]}`))
  })
}

function* specsOf(specs: readonly CommandSpec[]): Generator<CommandSpec> {
  for (const spec of specs) yield* [spec, ...specsOf(spec.commands ?? [])]
}

test('every example of the help is a command line that can be parsed, by its own command', async () => {
  const acted: string[] = []
  const nowhere = { write: () => true }
  const io = { stdin: Readable.from([]), stdout: nowhere, stderr: nowhere, env: {}, cwd: '/' }
  for (const spec of specsOf(COMMANDS)) {
    for (const example of spec.examples) {
      const line = example.slice(example.indexOf('pupil ') + 6)
      const all = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
        ([, double, single, bare]) => double ?? single ?? bare ?? '',
      )
      const end = all.findIndex((word) => word === '|' || word === '>')
      const words = end === -1 ? all : all.slice(0, end)
      const act = (chosen: CommandSpec): Promise<void> => {
        acted.push(chosen.name)
        return Promise.resolve()
      }
      const commands = buildCommands(COMMANDS, { io, version: '0', act })
      await commands.parseAsync(words, { from: 'user' }).catch((error: Error) => {
        assert.fail(`${example}: ${error.message}`)
      })
      assert.equal(acted.length, 1, example)
      acted.length = 0
    }
  }
})

test("help lists every command, the version is the package's", async () => {
  const { code, out } = await pupil(['--help'])
  assert.equal(code, 0)
  for (const { name } of COMMANDS) assert.match(out, new RegExp(`^ {2}${name}\\b`, 'm'))
  const { version } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  assert.equal((await pupil(['--version'])).out, `${version}\n`)
})

test('no command at all is a usage error that shows the help', async () => {
  const { code, err } = await pupil([])
  assert.equal(code, 2)
  assert.match(err, /Usage: pupil/)
})

const USAGE: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
  [['aks', 'a.png', 'b'], /Unknown command 'aks'\. Did you mean "ask"\?/],
  [['program', 'chek', 'x'], /Unknown command 'chek'\. Did you mean "check"\?/],
  [['ask', 'a.png'], /Missing required argument 'instruction'.*pupil ask --help/s],
  [['ask', 'a.png', 'b', '--tarce'], /Unknown option '--tarce'/],
  [['runs', '--limit', 'many'], /Expected a whole number/],
  [['ask', '-', '-'], /Only one argument can be "-"/],
  [['ask', 'a.png', '  '], /The instruction is empty/],
  [['ask', 'a.png', 'b', '--budget', 'cals=3'], /Expected limits such as calls=10/],
  [
    ['edit', 'a.png', 'b', '-o', 'out.bmp'],
    /cannot be written as "out\.bmp"\. Let the name end in \.png/,
  ],
  [['edit', 'a.png', 'b', '-o', '-', '--json'], /both a picture and a document/],
  [['program', 'eval', '1', '--state', '{a'], /Expected a JSON object for --state/],
  [['program', 'check', '-', '--family', 'gqaa'], /no task family "gqaa"\. Did you mean gqa\?/],
]
for (const [argv, message] of USAGE) {
  test(`pupil ${argv.join(' ')} ends with 2 and says what is wrong`, async () => {
    const said = await pupil(argv)
    assert.equal(said.code, 2)
    if (argv.includes('--json')) assert.match(said.out, message)
    else assert.match(said.err, message)
  })
}

test('with --json an error is the one document on stdout', async () => {
  const said = await pupil(['aks', '--json'])
  assert.equal(said.code, 2)
  assert.equal((json(said).error as { code: string }).code, 'E_USAGE')
  assert.equal(said.err, '')
})

test('no command at all is a document too', async () => {
  const said = await pupil(['--json'])
  assert.equal(said.code, 2)
  assert.equal((json(said).error as { code: string }).code, 'E_USAGE')
})

test('program check gives its diagnostics with positions, and the canonical text', async () => {
  const stdin = "A = LOC( image = IMAGE , object = 'cup' )\nB=COUNT(box=A0)\nR=RESULT(var=B)"
  const said = await pupil(['program', 'check', '-', '--family', 'gqa', '--json'], { stdin })
  assert.equal(said.code, 1)
  const { diagnostics, printed } = json(said) as {
    diagnostics: Record<string, unknown>[]
    printed: string
  }
  assert.deepEqual(
    diagnostics.map(({ code, severity, line, column }) => [code, severity, line, column]),
    [
      ['W_UNUSED', 'warning', 1, 1],
      ['C_UNDEFINED', 'error', 2, 13],
    ],
  )
  assert.deepEqual(Object.keys(diagnostics[0] ?? {}), [
    'code',
    'severity',
    'message',
    'line',
    'column',
  ])
  assert.equal(printed.split('\n')[0], "A=LOC(image=IMAGE,object='cup')")
  const text = await pupil(['program', 'check', '-', '--family', 'gqa'], { stdin })
  assert.match(text.out, /^-:2:13: error C_UNDEFINED undefined variable A0, step 2/m)
})

test('a right program checks with 0 and says nothing on stdout', async () => {
  const stdin = "A=LOC(image=IMAGE,object='cup')\nB=COUNT(box=A)\nR=RESULT(var=B)"
  const said = await pupil(['program', 'check', '-', '--family', 'gqa'], { stdin })
  assert.deepEqual([said.code, said.out, said.err], [0, '', 'No errors.\n'])
})

test('program print gives the canonical form', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'p.txt'), 'Step 1: A = SEG( image=IMAGE ) ; B=COUNT(box=A)  # count')
  const said = await pupil(['program', 'print', 'p.txt'], { cwd })
  assert.deepEqual([said.code, said.out], [0, 'A=SEG(image=IMAGE)\nB=COUNT(box=A)\n'])
})

test('program eval gives the value, or the error with its place', async () => {
  const good = await pupil(['program', 'eval', '{A} + 1', '--state', '{"A":"two"}', '--json'])
  assert.deepEqual([good.code, json(good)], [0, { value: 3 }])
  const bad = await pupil([
    'program',
    'eval',
    "'yes' if {A} > 0 and else 'no'",
    '--state',
    '{"A":1}',
    '--json',
  ])
  assert.equal(bad.code, 1)
  const { error } = json(bad) as { error: { code: string; at: number; message: string } }
  assert.deepEqual([error.code, error.at], ['X_SYNTAX', 21])
  const text = await pupil(['program', 'eval', '{A} > 0', '--state', '{"A":3}'])
  assert.equal(text.out, 'yes\n')
})

test('a state that holds no value of the language is refused', async () => {
  const said = await pupil(['program', 'eval', '{A}', '--state', '{"A":{"b":1}}'])
  assert.equal(said.code, 2)
  assert.match(said.err, /Expected a text, number, truth value, null or list for A/)
})

test('a file that is not there is named', async () => {
  const said = await pupil(['program', 'check', 'gone.txt'])
  assert.equal(said.code, 1)
  assert.match(said.err, /gone\.txt cannot be read: there is no such file/)
})

test('tools are listed, explained, and found when misspelt', async () => {
  const list = await pupil(['tools', '--json'])
  const { tools } = json(list) as { tools: { name: string; args: unknown[] }[] }
  for (const name of ['LOC', 'CROP_LEFTOF', 'VQA', 'EVAL', 'TAG', 'OCR', 'CAPTION']) {
    assert.ok(
      tools.some((tool) => tool.name === name),
      name,
    )
  }
  assert.match((await pupil(['tools', 'loc'])).out, /^LOC\(image, object\) -> objects\n/)
  const wrong = await pupil(['tools', 'LOK'])
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /There is no tool "LOK"\. Did you mean LOC\?/)
})

test('the configuration is printed with its origins', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'pupil.config.json'), '{"seed":7}')
  const said = await pupil(['config', 'print', '--origin', '--space', 'work'], { cwd })
  assert.match(said.out, /^seed +7 +.*pupil\.config\.json$/m)
  assert.match(said.out, /^space +"work" +flag --space$/m)
  assert.match(said.out, /^data +.* +PUPIL_HOME$/m)
})

test('a bad configuration ends with 2 and names file and key', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'pupil.config.json'), '{"sead":7}')
  const said = await pupil(['runs'], { cwd })
  assert.equal(said.code, 2)
  assert.match(said.err, /pupil\.config\.json: unknown key "sead"\. Did you mean seed\?/)
})

test('init makes a project and does not overwrite one', async () => {
  const cwd = folder()
  const first = await pupil(['init'], { cwd })
  assert.equal(first.code, 0)
  assert.deepEqual(readdirSync(cwd).sort(), ['.pupil', 'pupil.config.ts'])
  const again = await pupil(['init'], { cwd })
  assert.equal(again.code, 1)
  assert.match(again.err, /is there already\. Use --force/)
  const config = await pupil(['config', 'print', '--json'], { cwd, env: { PUPIL_HOME: '' } })
  assert.equal((json(config).config as { data: string }).data, join(cwd, '.pupil'))
})

test('a space without runs says how to begin; show and last say there is none', async () => {
  const runs = await pupil(['runs'])
  assert.deepEqual([runs.code, runs.out], [0, ''])
  assert.match(runs.err, /No runs yet\. Begin with: pupil ask/)
  assert.deepEqual(json(await pupil(['runs', '--json'])), { runs: [] })
  const show = await pupil(['show', 'last'])
  assert.equal(show.code, 1)
  assert.match(show.err, /There are no runs yet/)
  assert.match((await pupil(['show', 'run_x'])).err, /There is no run "run_x" here/)
})

test('demonstrations are listed, added when they check, and removed', async () => {
  const cwd = folder()
  const stdin = "A=LOC(image=IMAGE,object='cup')\nB=COUNT(box=A)\nR=RESULT(var=B)"
  const listed = await pupil(['demonstrations', 'ls', '--family', 'gqa', '--json'], { cwd })
  const before = (json(listed).demonstrations as unknown[]).length
  assert.ok(before >= 25)
  const added = await pupil(['demonstrations', 'add', 'How many cups?', '-', '--family', 'gqa'], {
    cwd,
    stdin,
  })
  assert.equal(added.code, 0)
  const id = added.out.trim()
  const bad = await pupil(['demonstrations', 'add', 'How many cups?', '-', '--family', 'gqa'], {
    cwd,
    stdin: 'A=CUP()',
  })
  assert.equal(bad.code, 1)
  assert.match(bad.err, /The program is not right: 1:1 C_NO_RESULT/)
  assert.equal((await pupil(['demonstrations', 'rm', id], { cwd })).code, 0)
  const gone = await pupil(['demonstrations', 'rm', id], { cwd })
  assert.equal(gone.code, 1)
})

test('colours come where a person watches, and never with NO_COLOR', async () => {
  const forced = await pupil(['tools'], { env: { FORCE_COLOR: '1' } })
  assert.ok(forced.out.includes('\u001b['))
  const plain = await pupil(['tools', '--no-color'], { env: { FORCE_COLOR: '1' } })
  assert.ok(!plain.out.includes('\u001b['))
  assert.ok(!(await pupil(['tools'])).out.includes('\u001b['))
})

test('a data folder that cannot be written is said, with the way out', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'plain'), '')
  const said = await pupil(['runs', '--data', 'plain/data'], { cwd })
  assert.equal(said.code, 1)
  assert.match(
    said.err,
    /Cannot write .*plain\/data\/pupil\.db \(ENOTDIR\)\. Give a folder that can be written/,
  )
  const doctor = await pupil(['doctor', '--data', 'plain/data'], { cwd })
  assert.equal(doctor.code, 1)
  assert.match(doctor.out, /✗ data folder: .*cannot be written \(ENOTDIR\)/)
})
