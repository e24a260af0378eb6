import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'
import type { Said } from '../../../test/e2e/command-line.ts'
import { MODEL_CACHE, photo } from '../../../test/e2e/photos.ts'

const pupil = commandLine('chat', MODEL_CACHE)
after(() => pupil.remove())
const crew = photo('crew')

const linesOf = (
  said: Said,
): readonly { readonly type: string; readonly [key: string]: unknown }[] =>
  said.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })

test('offline, a question about a photograph is answered, and its run is stored', async () => {
  const said = await pupil(['chat', crew], { stdin: 'How many people are there?\n' })
  assert.equal(said.code, 0, said.err)
  assert.match(said.out, /^[^\n]*\b3\b[^\n]*\n$/)
  const shown = await pupil(['show', 'last', '--json'], { cwd: said.cwd })
  const { agent, instruction, answer, steps } = documentOf<Record<string, unknown[]>>(shown)
  assert.deepEqual([agent, instruction], ['chatting', 'How many people are there?'])
  assert.equal(`${String(answer)}\n`, said.out)
  assert.ok(Array.isArray(steps) && steps.length > 0)
})

test('a saved conversation is gone on with elsewhere: follow-ups, pictures and corrections are kept', async () => {
  const stdin = 'How many people are there?\n/correct Three astronauts.\n/save talk.json\n'
  const first = await pupil(['chat', crew], { stdin })
  assert.equal(first.code, 0, first.err)
  const talk = readFileSync(join(first.cwd, 'talk.json'), 'utf8')
  const cwd = pupil.folder()
  writeFileSync(join(cwd, 'talk.json'), talk)
  const second = await pupil(['chat', '--open', 'talk.json'], {
    ...{ cwd, stdin: 'And how many dogs?\n/save again.json\n' },
  })
  assert.equal(second.code, 0, second.err)
  assert.match(second.out, /\b0\b|no dog/i)
  type File = { conversation: { turns: { corrected?: { value: string } }[] }; pictures: object }
  const before = JSON.parse(talk) as File
  const again = JSON.parse(readFileSync(join(cwd, 'again.json'), 'utf8')) as File
  const { turns } = before.conversation
  assert.deepEqual(again.conversation.turns.slice(0, turns.length), turns)
  assert.ok(turns.some(({ corrected }) => corrected?.value === 'Three astronauts.'))
  assert.deepEqual(again.pictures, before.pictures)
})

test('--json gives a line for each part, the run last', async () => {
  const said = await pupil(['chat', crew, '--json'], { stdin: 'How many people are there?' })
  assert.deepEqual([said.code, said.err], [0, ''])
  const lines = linesOf(said)
  const types = lines.map(({ type }) => type)
  assert.equal(types[0], 'picture')
  assert.equal(types.at(-1), 'finish')
  for (const type of ['call-start', 'call-end', 'step', 'answer']) assert.ok(types.includes(type))
  const answer = lines.find(({ type }) => type === 'answer')
  assert.match(String(answer?.text), /\b3\b/)
})

test('--trace shows the skill on stderr; without it only the answer is seen', async () => {
  const stdin = 'How many people are there?'
  const traced = await pupil(['chat', crew, '--trace'], { stdin })
  assert.match(traced.err, /grounding_dino.*LOC/s)
  const plain = await pupil(['chat', crew, '--quiet'], { stdin })
  assert.deepEqual([plain.err, plain.out], ['', traced.out])
})

test('skills are listed, those that cannot run with the reason', async () => {
  const said = await pupil(['chat'], { stdin: '/skills\n/quit\nHow many people are there?\n' })
  assert.equal(said.code, 0)
  assert.match(said.out, /^Answers come from analogy\/dialogues\. Skills:\n {2}\S/)
  assert.match(said.out, /Cannot run here:\n {2}\S/)
  assert.doesNotMatch(said.out, /I count/)
})

test('a picture can be added in the middle, and the questions after it are about it', async () => {
  const stdin = `/image ${crew}\nHow many people are there?\n`
  const said = await pupil(['chat'], { stdin })
  assert.deepEqual([said.code, said.err.split(',')[0]], [0, `picture1: ${crew}`])
  assert.match(said.out, /\b3\b/)
})

test('the newest picture of a conversation can be written as a file', async () => {
  const said = await pupil(['chat', crew], { stdin: '/save crew.png' })
  assert.deepEqual([said.code, said.err.split('\n')[1]], [0, 'Saved picture1 as crew.png.'])
  const bytes = readFileSync(join(said.cwd, 'crew.png'))
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
})

const WRONG: readonly (readonly [argv: readonly string[], stdin: string, code: number, RegExp])[] =
  [
    [[], '/sklls', 2, /no "\/sklls" here\. Did you mean \/skills\?/],
    [[], '/save', 2, /Expected a file: \/save FILE/],
    [[], '/save x.png', 1, /no picture in this conversation/],
    [[], '/correct it is red', 1, /There is no answer to correct yet/],
    [[], '/image nowhere.jpg', 1, /nowhere\.jpg cannot be read: there is no such file/],
    [['nowhere.jpg'], '', 1, /nowhere\.jpg cannot be read/],
    [['-'], '', 2, /standard input has the turns/],
    [['--open', 'nowhere.json'], '', 1, /nowhere\.json cannot be read/],
  ]
for (const [argv, stdin, code, message] of WRONG) {
  test(`pupil chat ${argv.join(' ')} with the line "${stdin}" ends with ${code}`, async () => {
    const said = await pupil(['chat', ...argv], { stdin })
    assert.equal(said.code, code)
    assert.match(said.err, message)
  })
}

test('a file that is no conversation, or one whose picture was changed, is refused', async () => {
  const first = await pupil(['chat', crew], { stdin: '/save talk.json' })
  const { cwd } = first
  writeFileSync(join(cwd, 'other.json'), '{"kind":"something"}')
  const other = await pupil(['chat', '--open', 'other.json'], { cwd })
  assert.deepEqual([other.code, /it is no saved conversation/.test(other.err)], [1, true])
  const talk = JSON.parse(readFileSync(join(cwd, 'talk.json'), 'utf8')) as { pictures: object }
  const [png] = Object.values(talk.pictures) as string[]
  const changed = { ...talk, pictures: { ['0'.repeat(64)]: png } }
  writeFileSync(join(cwd, 'changed.json'), JSON.stringify(changed))
  const refused = await pupil(['chat', '--open', 'changed.json'], { cwd })
  assert.deepEqual([refused.code, /was changed/.test(refused.err)], [1, true])
})
