import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import type { RunDocument } from '../../app/index.ts'
import { fakeOpenAiServer } from '../../testing/index.ts'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'
import { main } from './main.ts'

const pupil = commandLine('seek')
after(() => pupil.remove())

const photo = (name: string): string =>
  new URL(`../../../test/fixtures/photos/${name}`, import.meta.url).pathname
const cat = photo('chelsea.jpg')
const cup = photo('coffee.jpg')

test('a question that WordNet answers is answered offline, with its source and the way there', async () => {
  const said = await pupil(['seek', cat, 'What family does this animal belong to?', '--offline'])
  assert.equal(said.code, 0)
  assert.match(said.out, /^Felidae\n/)
  assert.match(
    said.out,
    /Sources:\n {2}\[1\] wordnet · cat.*\n {6}"cat belongs to the family Felidae\."/,
  )
  assert.match(said.err, /\? Which animal is this\?/)
  assert.match(said.err, /^ 1 START → /m)
  assert.match(said.err, /kb_lookup.*✓ answers: Felidae/)
  assert.match(said.err, /without a language model/)
})

test('the document has the path and the sources, and the run is kept like any other', async () => {
  const said = await pupil([
    'seek',
    cat,
    'What family does this animal belong to?',
    '--json',
    '--svg',
    'path.svg',
  ])
  const { run, answer, agent, family, seek, steps } = documentOf<RunDocument>(said)
  assert.deepEqual([said.code, answer, agent, family], [0, 'Felidae', 'seeking', 'seek'])
  assert.ok(seek !== undefined)
  assert.equal(seek.kind, 'answered')
  assert.deepEqual(seek.bindings, ['cat'])
  assert.equal(seek.path[0]?.from, 'START')
  assert.equal(seek.path.at(-1)?.verdict, 'answer')
  assert.ok(steps.length > 0 && seek.path.length >= steps.length)
  const [first] = seek.sources
  assert.equal(first?.provider, 'wordnet')
  assert.match(first?.quote ?? '', /Felidae/)
  assert.match(readFileSync(join(said.cwd, 'path.svg'), 'utf8'), /^<svg[^]*kb_lookup[^]*<\/svg>/)
  const setting = { cwd: said.cwd }
  const shown = await pupil(['show', run, '--json'], setting)
  assert.deepEqual(documentOf<RunDocument>(shown).seek, seek)
  const told = await pupil(['show', run, '--html', 'run.html'], setting)
  assert.match(told.out, /Felidae\n.*Sources:\n {2}\[1\] wordnet/s)
  assert.match(readFileSync(join(said.cwd, 'run.html'), 'utf8'), /Felidae/)
  const again = documentOf<RunDocument>(await pupil(['replay', run, '--json'], setting))
  assert.notEqual(again.run, run)
  assert.deepEqual([again.answer, again.seek], [answer, seek])
  const later = await pupil(['replay', run, '--from', '2'], setting)
  assert.match(later.err, /a search is replayed whole/)
})

test('what nobody here knows ends with 3, nothing on stdout, and what was tried', async () => {
  const question = 'In which year was the maker of this cup founded?'
  const said = await pupil(['seek', cup, question, '--offline'])
  assert.deepEqual([said.code, said.out], [3, ''])
  assert.match(said.err, /Not found: /)
  assert.match(said.err, /Tried:\n {2}\S/)
  const document = documentOf<RunDocument>(
    await pupil(['seek', cup, question, '--offline', '--json']),
  )
  assert.equal(document.seek?.kind, 'abstained')
  assert.deepEqual(document.seek?.sources, [])
})

test('a limit on steps holds, and is named', async () => {
  const question = 'What family does this animal belong to?'
  const said = await pupil(['seek', cat, question, '--max-steps', '1', '--json'])
  const { seek, steps } = documentOf<RunDocument>(said)
  assert.deepEqual([said.code, seek?.stop, steps.length], [3, 'budget:maxToolCalls', 1])
  const again = documentOf<RunDocument>(
    await pupil(['replay', 'last', '--json'], { cwd: said.cwd }),
  )
  assert.deepEqual(again.seek, seek)
})

test("the user's own documents are a source when their folder is configured", async () => {
  const cwd = pupil.folder()
  mkdirSync(join(cwd, 'notes'))
  cpSync(cat, join(cwd, 'cat.jpg'))
  writeFileSync(
    join(cwd, 'notes', 'cats.md'),
    '# Cat\n\nThe cat was first tamed in 1893 by the village of Ham. It weighs 4 kg.\n',
  )
  writeFileSync(join(cwd, 'pupil.config.json'), '{"sources":{"documents":"notes"}}')
  const tamed = 'In which year was this animal first tamed?'
  const said = await pupil(['seek', 'cat.jpg', tamed, '--json'], { cwd })
  const { seek, answer } = documentOf<RunDocument>(said)
  assert.deepEqual([said.code, answer], [0, '1893'])
  const source = seek?.sources.find(({ provider }) => provider === 'documents')
  assert.match(source?.quote ?? '', /tamed in 1893/)
  assert.match(source?.url ?? '', /^file:cats\.md/)
  // They stand beside WordNet, not before it.
  const family = 'What family does this animal belong to?'
  const other = documentOf<RunDocument>(await pupil(['seek', 'cat.jpg', family, '--json'], { cwd }))
  assert.equal(other.answer, 'Felidae')
  assert.equal(other.seek?.sources[0]?.provider, 'wordnet')
})

test('words that mean nothing are a usage error', async () => {
  for (const [argv, message] of [
    [['seek', cat, ' '], /The question is empty/],
    [['seek', '-', '-'], /Only one argument can be "-"/],
    [['seek', cat, 'What is it?', '--max-cost', 'much'], /an amount for --max-cost/],
  ] as const) {
    const said = await pupil(argv)
    assert.equal(said.code, 2)
    assert.match(said.err, message)
  }
})

test('an unknown key among the sources is an error that names the known ones', async () => {
  const cwd = pupil.folder()
  writeFileSync(join(cwd, 'pupil.config.json'), '{"sources":{"documets":"notes"}}')
  const said = await pupil(['seek', cat, 'What is it?'], { cwd })
  assert.equal(said.code, 2)
  assert.match(said.err, /unknown key "sources\.documets".*documents/s)
})

test('what cannot be used of a folder of pictures is told, and the search goes on', async () => {
  const cwd = pupil.folder()
  mkdirSync(join(cwd, 'pictures', 'owl'), { recursive: true })
  writeFileSync(join(cwd, 'pictures', 'owl', '1.jpg'), 'no picture')
  writeFileSync(join(cwd, 'pictures', 'metadata.jsonl'), '{"title": "a line without a file"}\n')
  const config = (pictureFolder: string) =>
    writeFileSync(join(cwd, 'pupil.config.json'), JSON.stringify({ sources: { pictureFolder } }))
  config('pictures')
  const ask = ['seek', cat, 'What family does this animal belong to?', '--offline']
  const said = await pupil(ask, { cwd })
  assert.match(said.out, /^Felidae\n/)
  assert.match(said.err, /warning: Not in the picture index: metadata\.jsonl, line 1: /)
  assert.match(said.err, /warning: Not in the picture index: owl\/1\.jpg: /)
  config('nowhere')
  const none = await pupil(ask, { cwd })
  assert.match(none.out, /^Felidae\n/)
  assert.match(none.err, /warning: .*the folder of pictures .*nowhere cannot be read/)
})

/** A terminal at which a person types one line when asked. */
async function atTerminal(argv: readonly string[], cwd: string, typed: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const terminal = { isTTY: true, columns: 100 } as const
  for (const stream of [stdin, stdout, stderr]) Object.assign(stream, terminal)
  let err = ''
  let asked = 0
  stdout.resume()
  stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
    const prompts = err.split('Send it? [y/N]').length - 1
    while (asked < prompts) {
      asked++
      stdin.write(`${typed}\n`)
    }
  })
  const env = { PUPIL_HOME: join(cwd, 'home') }
  const code = await main(argv, { stdin, stdout, stderr, cwd, env })
  return { code, err, asked }
}

test('at a terminal the picture is shown before it goes anywhere; only "y" sends it', async (t) => {
  const server = await fakeOpenAiServer(() => ({ text: 'cat' }))
  t.after(() => server.close())
  // Any address but that of this machine counts as elsewhere; this one still ends here.
  const baseURL = server.baseUrl.replace('127.0.0.1', '0.0.0.0')
  const cwd = pupil.folder()
  writeFileSync(
    join(cwd, 'pupil.config.json'),
    JSON.stringify({
      sources: { pictures: 'ask' },
      models: { vqa: 'openai-compatible/eyes' },
      providers: { 'openai-compatible': { baseURL } },
    }),
  )
  const ask = ['seek', cup, 'In which year was the maker of this cup founded?', '--max-steps', '4']
  const no = await atTerminal(ask, cwd, '')
  assert.ok(no.asked > 0, no.err)
  assert.match(no.err, /llm\/openai-compatible\/eyes would be sent .*to-be-sent\.jpg \(\d+ bytes\)/)
  assert.equal(server.requests.length, 0)
  const yes = await atTerminal(ask, cwd, 'y')
  assert.ok(yes.asked > 0)
  assert.match(JSON.stringify(server.requests[0]?.body), /data:image\/jpeg;base64/)
  // Without a terminal nobody can be asked, so nothing goes.
  const before = server.requests.length
  await pupil(ask, { cwd })
  assert.equal(server.requests.length, before)
})
