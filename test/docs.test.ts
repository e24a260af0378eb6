import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Marked } from 'marked'
import { COMMANDS } from '../src/doors/cli/commands.ts'
import { buildCommands } from '../src/doors/cli/parse.ts'
import { apiItems } from '../docs/site/api-pages.ts'
import { siteFiles, sourcePages } from '../docs/site/site.ts'
import { ROOT } from './house.ts'

const pages = sourcePages(ROOT)
const files = new Map(siteFiles(ROOT, pages).map(({ path, content }) => [path, content]))
const html = [...files].flatMap(([path, content]) =>
  path.endsWith('.html') ? [[path, String(content)] as const] : [],
)

test('every link of the site leads to a page, a picture or a heading that is there', () => {
  assert.ok(html.length >= 16, `${html.length} pages`)
  const broken: string[] = []
  for (const [path, content] of html) {
    for (const [, to = ''] of content.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?|mailto):/.test(to)) continue
      const address = new URL(to.replaceAll('&amp;', '&'), `http://site/${path}`)
      const file = decodeURIComponent(address.pathname.slice(1))
      const there = files.get(file)
      const anchor = decodeURIComponent(address.hash.slice(1))
      if (there === undefined) broken.push(`${path}: ${to}`)
      else if (anchor !== '' && !String(there).includes(` id="${anchor}"`)) {
        broken.push(`${path}: no heading ${to}`)
      }
    }
  }
  assert.deepEqual(broken, [])
})

test('the site loads nothing from elsewhere and has no script', () => {
  for (const [path, content] of html) {
    assert.doesNotMatch(content, /<script|<iframe|src="https?:|@import|url\(/i, path)
    assert.match(content, /default-src 'none'/)
  }
})

/** Command lines of a page: those in blocks of code of a shell that call `pupil`, without what stands around. */
function commandLines(text: string): readonly string[] {
  const blocks: string[] = []
  const marked = new Marked()
  void marked.walkTokens(marked.lexer(text), (token) => {
    const { type, lang = '', text: code } = token as { type: string; lang?: string; text: string }
    if (type === 'code' && ['', 'sh', 'bash'].includes(lang)) blocks.push(code)
  })
  return blocks
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .flatMap((line) => parts(line.replace(/^\$ /, '').replace(/(?:^|\s)#.*$/, '')))
    .flatMap((part) => /^(?:npx )?pupil (.*)$/.exec(part.trim())?.[1] ?? [])
}

/** The commands of a line, which may stand one after the other. */
function parts(line: string): readonly string[] {
  return line.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|&(?!&)|[^;|&"'])+/g) ?? []
}

function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
  const end = words.findIndex((word) => ['>', '<', '&'].includes(word))
  return end === -1 ? words : words.slice(0, end)
}

test('every command line that is shown can be parsed', async () => {
  const nowhere = { write: () => true }
  const io = { stdin: Readable.from([]), stdout: nowhere, stderr: nowhere, env: {}, cwd: '/' }
  const shown = [
    ...pages.map(({ path, text }) => [path, text] as const),
    ['../README.md', readFileSync(join(ROOT, 'README.md'), 'utf8')] as const,
  ].flatMap(([path, text]) => commandLines(text).map((line) => [path, line] as const))
  assert.ok(shown.length > 100, `${shown.length} command lines`)
  const wrong: string[] = []
  for (const [path, line] of shown) {
    if (line.includes('…') || /^--?(?:help|version)\b/.test(line)) continue
    const act = (): Promise<void> => Promise.resolve()
    const commands = buildCommands(COMMANDS, { io, version: '0', act })
    await commands.parseAsync(wordsOf(line), { from: 'user' }).catch((error: Error) => {
      wrong.push(`${path}: pupil ${line}: ${error.message}`)
    })
  }
  assert.deepEqual(wrong, [])
})

test('every export of the package is in the reference, functions with their docstring', () => {
  const reference = String(files.get('api.md'))
  for (const face of ['index.ts', 'onnx/index.ts', 'doors/http/index.ts', 'doors/mcp/index.ts']) {
    for (const { name, declaration } of apiItems(join(ROOT, 'src', face))) {
      assert.ok(reference.includes(`### ${name}\n`), name)
      assert.ok(declaration.length > 0, name)
    }
  }
  const open = apiItems(join(ROOT, 'src/index.ts')).find(({ name }) => name === 'openPupil')
  assert.match(open?.declaration ?? '', /^export async function openPupil\(.*\): Promise<Pupil>$/)
  assert.match(open?.about ?? '', /^An assistant with the configuration of this process/)
})

test('llms.txt names every page with what it is about, llms-full.txt holds them all', () => {
  const short = String(files.get('llms.txt'))
  const full = String(files.get('llms-full.txt'))
  for (const { path, title, text } of pages) {
    const line = short.split('\n').find((one) => one.startsWith(`- [${title}](${path}): `))
    assert.match(line ?? path, /\): \S.{10}/, path)
    assert.ok(full.includes(text.trim()), path)
    assert.equal(files.get(path), text)
  }
})

test('every test that the page on security names is in the file that it names', () => {
  const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
  const named = [...page.matchAll(/`([^`]+\.test\.ts)`: “([^”]+)”/g)]
  assert.equal(named.length, page.match(/“/g)?.length)
  const gone = named.flatMap(([, file = '', title = '']) => {
    const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\$\{[^}]*\}/g, '…')
    const titles = [...source.matchAll(/\btest\(\s*(['`])(.*?)\1/g)].map(([, , one]) => one)
    return titles.includes(title) ? [] : [`${file}: ${title}`]
  })
  assert.ok(named.length >= 38, `${named.length} tests`)
  assert.deepEqual(gone, [])
})
