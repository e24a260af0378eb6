import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { sha256, Unavailable } from '../../base/index.ts'
import type { Abortable, Progress } from '../../base/index.ts'
import { readablePage } from './page-text.ts'
import { buildPassageIndex } from './passages/build.ts'
import type { Passage } from './passages/build.ts'
import { openPassageIndex } from './passages/search.ts'
import type { PassageIndex } from './passages/search.ts'
import { LOCAL_SOURCE } from './provider.ts'
import type { FoundEntry, SourceProvider } from './provider.ts'

const KINDS = new Set(['.txt', '.md', '.markdown', '.html', '.htm'])

/** Characters of a passage; paragraphs below it are joined. */
const PASSAGE = 900

/**
 * The user's own documents as a source: a folder of text, Markdown and HTML, indexed on disk, indexed anew when
 * a file changed.
 *
 * @param options.folder  with the documents, folders inside it included
 * @param options.index  folder where the index lies
 */
export function documentsSource(options: {
  readonly folder: string
  readonly index: string
  readonly progress?: Progress
}): SourceProvider & { close(): Promise<void> } {
  const { folder, index } = options
  let open: Promise<PassageIndex> | undefined
  const opened = (signal?: AbortSignal): Promise<PassageIndex> => {
    open ??= openDocuments(folder, index, { signal, progress: options.progress })
    // A build that was stopped is begun again by whoever asks next.
    open.catch(() => (open = undefined))
    return open
  }
  return {
    ...{ ...LOCAL_SOURCE, id: 'documents', tool: 'kb_lookup', licence: 'your own documents' },
    probe: async () => {
      const there = await stat(folder).then(
        (one) => one.isDirectory(),
        () => false,
      )
      return there ? null : `There is no folder ${folder}: set "sources.documents" to one.`
    },
    call: async ({ q = '', subject }, { signal }) => {
      const found = await opened(signal)
      const words = subject === undefined || q.includes(subject) ? q : `${subject} ${q}`
      const hits = await found.search(words, { limit: 6, signal })
      return { entries: hits.map(({ passage, score }) => entryOf(passage, score)) }
    },
    close: async () => void (await (await open)?.close()),
  }
}

function entryOf({ text, title, source, offset }: Passage, score: number): FoundEntry {
  const place = offset === undefined ? '' : `#char=${offset}`
  return {
    ...{ kind: 'page', text, score, source, licence: 'your own documents' },
    ...(title === undefined ? {} : { title }),
    ...(offset === undefined ? {} : { offset }),
    url: `file:${source.split('/').map(encodeURIComponent).join('/')}${place}`,
  }
}

async function openDocuments(
  folder: string,
  index: string,
  options: Abortable & { readonly progress?: Progress | undefined },
): Promise<PassageIndex> {
  const files = await documentFiles(folder)
  const stamps = await Promise.all(
    files.map(async (path) => `${relative(folder, path)} ${sha256(await readFile(path))}`),
  )
  await buildPassageIndex(index, passagesOfFiles(folder, files), {
    ...{ of: sha256(stamps.join('\n')), signal: options.signal },
    ...(options.progress === undefined ? {} : { progress: options.progress }),
  })
  return openPassageIndex(index)
}

async function documentFiles(folder: string): Promise<readonly string[]> {
  try {
    const all = await readdir(folder, { recursive: true, withFileTypes: true })
    return all
      .filter((one) => one.isFile() && KINDS.has(extname(one.name).toLowerCase()))
      .map((one) => join(one.parentPath, one.name))
      .toSorted()
  } catch (cause) {
    throw new Unavailable('E_TOOL', `The documents in ${folder} cannot be read.`, {
      ...{ fields: { provider: 'documents', reason: 'config', folder }, cause },
      cure: 'Set "sources.documents" to a folder that exists.',
    })
  }
}

async function* passagesOfFiles(folder: string, files: readonly string[]): AsyncIterable<Passage> {
  for (const path of files) {
    const raw = await readFile(path, 'utf8')
    const isHtml = /\.html?$/i.test(path)
    // Offsets of HTML count in its readable text: there is no other that a reader sees.
    const page = isHtml ? await readablePage(raw, `file://${path}`) : undefined
    const text = page?.text ?? raw
    const title = page?.title ?? /^#\s+(.+)$/m.exec(raw)?.[1] ?? basename(path, extname(path))
    for (const { start, end } of paragraphs(text)) {
      yield { text: text.slice(start, end), title, source: relative(folder, path), offset: start }
    }
  }
}

/** Ranges of a text: paragraphs, short ones together, long ones cut. */
export function* paragraphs(
  text: string,
): Iterable<{ readonly start: number; readonly end: number }> {
  let start = -1
  let end = 0
  for (const match of text.matchAll(/\S[\s\S]*?(?=\n\s*\n|$(?![\s\S]))/g)) {
    const [from, to] = [match.index, match.index + match[0].trimEnd().length]
    if (start !== -1 && to - start > PASSAGE) {
      yield { start, end }
      start = -1
    }
    for (let at = from; to - at > PASSAGE;) {
      const cut = text.lastIndexOf('. ', at + PASSAGE)
      const stop = cut > at ? cut + 1 : at + PASSAGE
      yield { start: at, end: stop }
      at = stop
      start = at
    }
    if (start === -1) start = from
    end = to
  }
  if (start !== -1 && end > start) yield { start, end }
}
