import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked } from 'marked'
import { apiPage } from './api-pages.ts'
import type { EntryPoint } from './api-pages.ts'
import { commandPage } from './command-page.ts'

/** A page before it is rendered. */
export interface SourcePage {
  /** From `docs/`, such as `recipes/ollama.md`. */
  readonly path: string
  readonly title: string
  readonly text: string
}

/** A file of the site; pictures as they are. */
export interface SiteFile {
  readonly path: string
  readonly content: string | Uint8Array
}

/** The order of the pages that come first; the rest follow by name. */
const FIRST = ['README.md', 'first-run.md', 'page.md', 'commands.md', 'correcting.md', 'doors.md']

/** All pages: those written by hand, and the commands and the API from their own sources. */
export function sourcePages(root: string): readonly SourcePage[] {
  const docs = join(root, 'docs')
  const written = filesIn(docs)
    .filter((path) => path.endsWith('.md'))
    .map((path) => pageOf(path, readFileSync(join(docs, path), 'utf8')))
  const made = [pageOf('commands.md', commandPage()), pageOf('api.md', apiPage(entryPoints(root)))]
  const place = ({ path }: SourcePage): number =>
    FIRST.includes(path) ? FIRST.indexOf(path) : FIRST.length
  return [...written, ...made].sort((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1))
}

/** The whole site: a page of HTML and its Markdown for each, pictures, `llms.txt` and `llms-full.txt`. */
export function siteFiles(
  root: string,
  pages: readonly SourcePage[] = sourcePages(root),
): readonly SiteFile[] {
  const docs = join(root, 'docs')
  const pictures = filesIn(docs).filter((path) => /\.(?:webp|png|svg)$/.test(path))
  return [
    ...pages.map((page) => ({ path: htmlPath(page.path), content: htmlOf(page, pages) })),
    ...pages.map(({ path, text }) => ({ path, content: text })),
    ...pictures.map((path) => ({ path, content: readFileSync(join(docs, path)) })),
    { path: 'llms.txt', content: shortText(pages) },
    { path: 'llms-full.txt', content: pages.map(({ text }) => text.trim()).join('\n\n---\n\n') },
  ]
}

/** Entry points by the package's own `exports`. */
function entryPoints(root: string): readonly EntryPoint[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string | Readonly<Record<string, string>>>
  }
  return Object.entries(exports).flatMap(([key, to]) => {
    const source = typeof to === 'string' ? undefined : to['pupil-source']
    if (source === undefined) return []
    return [{ name: join(name, key), file: join(root, source) }]
  })
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('site/'))
    .sort()
}

function pageOf(path: string, text: string): SourcePage {
  const title = /^# (.+)$/m.exec(text)?.[1]
  if (title === undefined) throw new Error(`docs/${path} has no title`)
  return { path, title, text }
}

const htmlPath = (path: string): string =>
  path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html')

/** The name of a heading in addresses. */
function anchorOf(heading: string): string {
  const plain = heading.replace(/<[^>]*>|&#?\w+;|`/g, '').toLowerCase()
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}

function htmlOf(page: SourcePage, pages: readonly SourcePage[]): string {
  const up = '../'.repeat(page.path.split('/').length - 1)
  const marked = new Marked()
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(inner)}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        // What lies outside the folder is in the repository, not on the site.
        if (href.startsWith(`${up}../`)) return `<code>${inner}</code>`
        const [path = '', anchor] = href.split('#')
        const local = /^[a-z]+:/.test(href) || path === '' ? path : htmlPath(path)
        return `<a href="${local}${anchor === undefined ? '' : `#${anchor}`}">${inner}</a>`
      },
    },
  })
  const menu = pages
    .map(({ path, title }) => {
      const here = path === page.path ? ' aria-current="page"' : ''
      return `<li><a href="${up}${htmlPath(path)}"${here}>${escaped(title)}</a></li>`
    })
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; style-src 'unsafe-inline'">
<title>${escaped(page.title)} · Pupil</title>
<link rel="alternate" type="text/markdown" href="${up}${page.path}">
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Pages"><ul>
${menu}
</ul></nav>
<main>
${marked.parse(page.text, { async: false })}
</main>
</body>
</html>
`
}

function shortText(pages: readonly SourcePage[]): string {
  const marked = new Marked()
  const lines = pages.map(({ path, title, text }) => {
    const first = marked.lexer(text).find(({ type }) => type === 'paragraph')?.raw ?? ''
    const about = /^.*?[.!?](?=\s|$)/.exec(first.replace(/\s+/g, ' '))?.[0] ?? first.trim()
    return `- [${title}](${path}): ${about}`
  })
  return `# Pupil

> A visual assistant that answers questions about pictures, edits and tags them by running visible steps, and learns from corrections. Offline, in TypeScript.

## Pages

${lines.join('\n')}

## Everything in one file

- [llms-full.txt](llms-full.txt)
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: minmax(12rem, 17rem) minmax(0, 50rem); gap: 2rem; padding: 1.5rem; }
nav ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 1.5rem; }
nav a { display: block; padding: .2rem 0; }
nav a[aria-current] { font-weight: 700; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; }
code { font-size: .9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
img { max-width: 100%; height: auto; }
@media (max-width: 45rem) { body { grid-template-columns: minmax(0, 1fr); } nav ul { position: static; } }
`
