import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { COMMANDS } from './commands.ts'
import { completionScript, SHELLS } from './completion.ts'
import { GLOBAL } from './parse.ts'

/** What bash offers for words of a command line, the last of them unfinished. */
function offered(...words: readonly string[]): readonly string[] {
  const list = ['pupil', ...words].map((word) => `'${word}'`).join(' ')
  const script = `${completionScript('bash', COMMANDS, GLOBAL)}
COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _pupil; printf '%s\\n' "\${COMPREPLY[@]}"`
  const said = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  return said.split('\n').filter((word) => word !== '')
}

test('bash completes commands, commands within commands, and options of where one is', () => {
  assert.deepEqual(
    offered('se'),
    ['seek', 'serve'].filter((name) => named(name)),
  )
  assert.ok(offered('').length === COMMANDS.length)
  assert.deepEqual(offered('program', ''), ['check', 'print', 'eval'])
  assert.deepEqual(offered('program', 'check', '--fa'), ['--family'])
  assert.deepEqual(offered('ask', 'photo.jpg', '--ht'), ['--html'])
  assert.deepEqual(offered('--quiet', 'ask', '--prof'), ['--profile'])
  assert.deepEqual(offered('ask', 'pho'), [], 'files are left to bash itself')
  assert.deepEqual(offered('ask', '--origin'), [], 'options of other commands are not offered')
})

const named = (name: string): boolean => COMMANDS.some((one) => one.name === name)

test('every shell is told every command and option', () => {
  for (const shell of SHELLS) {
    const script = completionScript(shell, COMMANDS, GLOBAL)
    for (const { name, options = [], commands = [] } of COMMANDS) {
      assert.match(script, new RegExp(`\\b${name}\\b`), `${shell} ${name}`)
      for (const one of commands) assert.match(script, new RegExp(`\\b${one.name}\\b`))
      for (const { flags } of options) {
        const long = /--([\w-]+)/.exec(flags)?.[1] ?? assert.fail(flags)
        assert.ok(script.includes(long), `${shell} ${name} ${long}`)
      }
    }
  }
})

test('what could end a quotation in a shell is quoted', () => {
  const odd = [{ name: 'x', about: "it's $(touch me): `y` \\ z", examples: [], commands: [] }]
  assert.match(completionScript('zsh', odd, []), /'x:it'\\''s \$\(touch me\)\\: `y` \\ z'/)
  assert.match(completionScript('fish', odd, []), /-d 'it\\'s \$\(touch me\): `y` \\\\ z'/)
})

test('another shell is refused by name', () => {
  assert.throws(() => completionScript('tcsh', COMMANDS, GLOBAL), {
    code: 'E_USAGE',
    message: 'Expected one of bash, zsh, fish but got "tcsh".',
  })
})
