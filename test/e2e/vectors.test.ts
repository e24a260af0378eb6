import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandLine, documentOf } from './command-line.ts'

interface Vectors {
  readonly parse: readonly Text[]
  readonly check: readonly (Omit<Text, 'printed'> & { family: string; message?: string })[]
  readonly evaluate: readonly {
    readonly id: string
    readonly expression: string
    readonly state: Readonly<Record<string, unknown>>
    readonly value?: unknown
    readonly code?: string
    readonly at?: number
    /** What the message names. */
    readonly names?: readonly string[]
  }[]
}

interface Text {
  readonly id: string
  readonly text: string
  readonly printed: readonly string[]
  /** `CODE@line:column`, all there are. */
  readonly diagnostics: readonly string[]
}

interface Checked {
  readonly diagnostics: readonly {
    readonly code: string
    readonly severity: string
    readonly message: string
    readonly line: number
    readonly column: number
  }[]
  readonly printed: string
}

const path = new URL('vectors.json', import.meta.url)
const vectors = JSON.parse(readFileSync(path, 'utf8')) as Vectors
const pupil = commandLine('vectors')
after(() => pupil.remove())
const cwd = pupil.folder()

/** What reading a text finds, before names, types and signatures are looked at. */
const OF_READING = /^(?:P_|W_PROSE|W_ESCAPE|W_APOSTROPHE)/

const places = ({ diagnostics }: Checked): string[] =>
  diagnostics.map(({ code, line, column }) => `${code}@${line}:${column}`)

for (const { id, text, printed, diagnostics } of vectors.parse) {
  test(`${id}: program check and program print read it as the language says`, async () => {
    writeFileSync(join(cwd, 'program.txt'), text)
    const said = await pupil(['program', 'check', 'program.txt', '--json'], { cwd })
    const checked = documentOf<Checked>(said)
    assert.deepEqual(
      places(checked)
        .filter((one) => OF_READING.test(one))
        .toSorted(),
      diagnostics.toSorted(),
    )
    assert.equal(checked.printed, printed.join('\n'))
    const isWrong = checked.diagnostics.some((one) => one.severity === 'error')
    assert.equal(said.code, isWrong ? 1 : 0)
    if (!isWrong || diagnostics.every((one) => one.startsWith('W_'))) {
      const print = await pupil(['program', 'print', '-'], { cwd, stdin: text })
      assert.deepEqual([print.code, print.out], [0, `${printed.join('\n')}\n`])
    }
  })
}

for (const { id, family, text, diagnostics, message } of vectors.check) {
  test(`${id}: program check finds this in the family ${family}`, async () => {
    const argv = ['program', 'check', '-', '--family', family, '--json']
    const said = await pupil(argv, { cwd, stdin: text })
    const checked = documentOf<Checked>(said)
    assert.deepEqual(places(checked), diagnostics)
    assert.deepEqual(
      Object.keys(checked.diagnostics[0] ?? {}),
      diagnostics.length === 0 ? [] : ['code', 'severity', 'message', 'line', 'column'],
    )
    if (message !== undefined) assert.equal(checked.diagnostics[0]?.message, message)
    assert.equal(said.code, diagnostics.every((one) => one.startsWith('W_')) ? 0 : 1)
  })
}

for (const vector of vectors.evaluate) {
  const { id, expression, state, value, code, at, names = [] } = vector
  test(`${id}: program eval gives this`, async () => {
    const argv = ['program', 'eval', expression, '--state', JSON.stringify(state), '--json']
    const said = await pupil(argv, { cwd })
    if (code === undefined) {
      assert.deepEqual([documentOf(said), said.code], [{ value }, 0])
      return
    }
    const { error } = documentOf<{ error: { code: string; at?: number; message: string } }>(said)
    assert.deepEqual([error.code, error.at, said.code], [code, at ?? error.at, 1])
    for (const name of names) assert.ok(error.message.includes(name), error.message)
    assert.deepEqual(
      Object.keys(error).toSorted(),
      ['at', 'code', 'message'].filter((key) => key in error),
    )
  })
}
