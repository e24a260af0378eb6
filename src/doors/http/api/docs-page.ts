import type { OpenApi } from './openapi.ts'

type Json = Readonly<Record<string, unknown>>

/** The page runs no script and loads nothing. */
export const DOCS_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
section { border-top: 1px solid; padding: 0.5rem 0 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: 0.15rem 0.6rem 0.15rem 0 }
h3 { margin: 0.3rem 0 } dl { margin: 0.5rem 0 }
`

/** The description of the API for people: one page of HTML that loads nothing. */
export function docsPage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => ({ path, method, about })),
  )
  const sections = api.tags.map(({ name }) => {
    const own = operations.filter(({ about }) => (about.tags as readonly string[]).includes(name))
    return `<h2 id="${escape(name)}">${escape(name)}</h2>${own.map(operationHtml).join('')}`
  })
  const links = api.tags.map(({ name }) => `<a href="#${escape(name)}">${escape(name)}</a>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Pupil ${escape(api.info.version)}: the API</title><style>${STYLE}</style></head>
<body><h1>Pupil ${escape(api.info.version)}: the API</h1><p>${escape(api.info.description)}</p>
<p>For programs: <a href="/openapi.json">openapi.json</a>.</p><nav>${links.join(' · ')}</nav>
<main>${sections.join('')}</main></body></html>
`
}

function operationHtml({
  path,
  method,
  about,
}: {
  readonly path: string
  readonly method: string
  readonly about: Json
}): string {
  const parameters = (about.parameters ?? []) as readonly Json[]
  const rows = parameters.map((one) =>
    row(String(one.name), `${String(one.in)}, ${typeOf(one.schema as Json)}`, one.description),
  )
  const bodies = contentRows((about.requestBody as Json | undefined)?.content, 'body')
  const replies = Object.entries(about.responses as Readonly<Record<string, Json>>)
    .filter(([status]) => status !== 'default')
    .map(
      ([status, { description, content }]) =>
        `<p>${escape(status)}: ${escape(String(description))}</p>${tableOf(contentRows(content, ''))}`,
    )
  const title = `<h3><code>${escape(method.toUpperCase())} ${escape(path)}</code></h3>`
  return `<section>${title}<p>${escape(String(about.summary))}</p>${tableOf([...rows, ...bodies])}${replies.join('')}</section>`
}

function contentRows(content: unknown, where: string): readonly string[] {
  return Object.entries((content ?? {}) as Readonly<Record<string, Json>>).flatMap(
    ([media, { schema }]) => {
      const { properties, required = [] } = schema as Json
      const head = where === '' ? media : `${where}, ${media}`
      if (properties === undefined) return [row('', head, undefined)]
      return Object.entries(properties as Readonly<Record<string, Json>>).map(([name, field]) => {
        const must = (required as readonly string[]).includes(name) ? ', required' : ''
        const place = where === '' ? '' : `${where}, `
        return row(name, `${place}${typeOf(field)}${must}`, field.description)
      })
    },
  )
}

function tableOf(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `<table><tbody>${rows.join('')}</tbody></table>`
}

function row(name: string, type: string, about: unknown): string {
  const cells = [`<code>${escape(name)}</code>`, escape(type), escape(String(about ?? ''))]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

/** A schema in a few words. */
function typeOf({ type, enum: words, const: only, items, anyOf, oneOf }: Json): string {
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  const several = (anyOf ?? oneOf) as readonly Json[] | undefined
  if (several !== undefined) return [...new Set(several.map(typeOf))].join(' | ')
  if (type === 'array') return `list of ${items ? typeOf(items as Json) : 'any'}`
  return typeof type === 'string' ? type : 'any'
}

function escape(text: string): string {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const
  return text.replaceAll(/[&<>"']/g, (one) => entities[one as keyof typeof entities])
}
