import { sourceFault } from './provider.ts'

/** What of a page is read. */
export interface PageText {
  readonly title: string
  readonly text: string
  readonly date?: string
}

/** Characters of a page that are read at most; more is not what was asked. */
const MOST_TEXT = 20_000

/**
 * The readable text of an HTML page: menus, scripts and hidden parts left out.
 *
 * Nothing of the page is run, and nothing it refers to is fetched.
 *
 * @returns an empty text when nothing is readable
 */
export async function readablePage(html: string, url: string): Promise<PageText> {
  const [{ parseHTML }, { Readability }] = await Promise.all([
    import('linkedom'),
    import('@mozilla/readability'),
  ])
  const { document } = parseHTML(html)
  for (const hidden of document.querySelectorAll(HIDDEN)) hidden.remove()
  const title = document.querySelector('title')?.textContent?.trim() ?? ''
  const date = dateOf(document)
  // Readability rewrites the document it is given, so what it may fail on is read before.
  const whole = blocksOf(document.body)
  const article = new Readability(document, { charThreshold: 200 }).parse()
  const body = article?.content ? parseHTML(`<body>${article.content}</body>`).document.body : null
  const readable = body === null ? '' : blocksOf(body)
  const text = readable.length > 0 ? readable : whole
  return {
    ...{ title: article?.title || title || new URL(url).hostname, text: text.slice(0, MOST_TEXT) },
    ...(date === undefined ? {} : { date }),
  }
}

/** What no reader of the page sees, or what is never text. */
const HIDDEN =
  'script, style, noscript, template, iframe, object, embed, [hidden], [aria-hidden="true"], ' +
  '[style*="display:none"], [style*="display: none"], [style*="visibility:hidden"], [style*="font-size:0"]'

const BLOCKS = new Set(
  'P LI H1 H2 H3 H4 H5 H6 TR DT DD BLOCKQUOTE PRE FIGCAPTION DIV SECTION'.split(' '),
)

interface TextNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string | null
  readonly childNodes: Iterable<unknown>
}

/** The text of a tree, a paragraph for each block. */
function blocksOf(root: unknown): string {
  const parts: string[] = []
  const walk = (node: TextNode): void => {
    if (node.nodeType === 3) parts.push(node.textContent ?? '')
    if (node.nodeType !== 1) return
    const isBlock = BLOCKS.has(node.nodeName.toUpperCase())
    if (isBlock) parts.push('\n\n')
    for (const child of node.childNodes) walk(child as TextNode)
    if (isBlock) parts.push('\n\n')
    else if (/^(?:td|th|br)$/i.test(node.nodeName)) parts.push(' ')
  }
  if (root !== null && root !== undefined) walk(root as TextNode)
  return parts
    .join('')
    .split(/\n\s*\n/)
    .map((block) => block.replace(/\s+/g, ' ').trim())
    .filter((block) => block !== '')
    .join('\n\n')
}

function dateOf(document: {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null
}): string | undefined {
  const found =
    document.querySelector('meta[property="article:modified_time"]')?.getAttribute('content') ??
    document.querySelector('meta[property="article:published_time"]')?.getAttribute('content') ??
    document.querySelector('time[datetime]')?.getAttribute('datetime')
  return /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(found ?? '')?.[0]
}

/** A text cut at paragraphs, those of a passage together at most `size` characters. */
export function passagesOf(text: string, size = 1000): readonly string[] {
  const passages: string[] = []
  let open = ''
  for (const block of text.split(/\n\n+/)) {
    for (const piece of pieces(block, size)) {
      if (open !== '' && open.length + piece.length + 2 > size) {
        passages.push(open)
        open = ''
      }
      open = open === '' ? piece : `${open}\n\n${piece}`
    }
  }
  return open === '' ? passages : [...passages, open]
}

/** A paragraph longer than a passage, cut at sentences, or hard where there are none. */
function pieces(block: string, size: number): readonly string[] {
  if (block.length <= size) return [block]
  const sentences = block.match(/[^.!?]+(?:[.!?]+\s*|$)/g) ?? [block]
  const out: string[] = []
  for (const sentence of sentences) {
    const last = out.at(-1)
    if (last !== undefined && last.length + sentence.length <= size)
      out[out.length - 1] = last + sentence
    else for (let i = 0; i < sentence.length; i += size) out.push(sentence.slice(i, i + size))
  }
  return out.map((one) => one.trim()).filter((one) => one !== '')
}

/** The text of a reply by its type; what is no text is refused. @throws Unavailable `E_TOOL` */
export async function textOfReply(
  body: Uint8Array,
  contentType: string,
  url: string,
): Promise<PageText> {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? metaCharset(body) ?? 'utf-8'
  const text = decode(body, charset)
  if (type === 'text/html' || type === 'application/xhtml+xml') return readablePage(text, url)
  if (type === 'text/plain' || type === 'text/markdown') {
    return { title: new URL(url).pathname.split('/').pop() ?? url, text: text.slice(0, MOST_TEXT) }
  }
  throw sourceFault(
    new URL(url).host,
    'bad-response',
    `${type || 'an unknown type'} is no page of text`,
  )
}

function decode(body: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    // A charset that nobody knows: read as UTF-8, wrong letters are replaced.
    return new TextDecoder().decode(body)
  }
}

function metaCharset(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, 1024)).toString('latin1')
  return /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1]
}
