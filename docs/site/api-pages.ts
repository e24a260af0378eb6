import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** An entry point of the package and the file behind it. */
export interface EntryPoint {
  /** Such as `pupil/onnx`. */
  readonly name: string
  readonly file: string
}

/** Something exported: its declaration without body, and its docstring. */
export interface ApiItem {
  readonly name: string
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'value'
  readonly declaration: string
  readonly about: string
}

/** Longest declaration that is shown whole. */
const MOST_LINES = 160

/**
 * What an entry point exports, with the docstrings from where each thing is declared. Reads sources as text: no
 * types are computed, so it takes a moment only.
 *
 * @throws Error for an export whose declaration is not found
 */
export function apiItems(file: string): readonly ApiItem[] {
  return namesOf(file).map(({ name, from }) => itemOf(name, from))
}

/** The reference as a page of Markdown. */
export function apiPage(entries: readonly EntryPoint[]): string {
  const parts = entries.map(({ name, file }) => {
    const items = apiItems(file).map(
      (one) =>
        `### ${one.name}\n\n${one.about === '' ? '' : `${one.about}\n\n`}` +
        `\`\`\`ts\n${one.declaration}\n\`\`\`\n`,
    )
    return `## ${name}\n\n${items.join('\n')}`
  })
  return `# API reference\n\nEvery export of the package, with its docstring.\n\n${parts.join('\n')}`
}

interface Exported {
  readonly name: string
  /** The name where it is declared. */
  readonly from: { readonly file: string; readonly name: string }
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
}

function namesOf(file: string): readonly Exported[] {
  return parse(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, moduleSpecifier: to } = statement
      if (clause === undefined || !ts.isNamedExports(clause)) {
        throw new Error(`${file}: expected named exports, as the house wants them`)
      }
      return clause.elements.map(({ name, propertyName }) => ({
        name: name.text,
        from: {
          file: to === undefined ? file : join(dirname(file), (to as ts.StringLiteral).text),
          name: (propertyName ?? name).text,
        },
      }))
    }
    return isExported(statement)
      ? declaredNames(statement).map((name) => ({ name, from: { file, name } }))
      : []
  })
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier }
  return name === undefined ? [] : [name.text]
}

function itemOf(shown: string, { file, name }: Exported['from']): ApiItem {
  const source = parse(file)
  const here = source.statements.filter((one) => declaredNames(one).includes(name))
  const found = here.find((one) => !ts.isImportDeclaration(one))
  if (found !== undefined) return described(shown, found)
  const passed = namesOf(file).find((one) => one.name === name)
  if (passed === undefined) throw new Error(`${file} declares no ${name}`)
  return itemOf(shown, passed.from)
}

function described(name: string, node: ts.Statement): ApiItem {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)
  const text = docs?.getText() ?? ''
  const about = text
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replace(/^@(\w+)\s+(\w[\w.]*)?/gm, (_, tag: string, word = '') => `\n*${tag}* ${word}`)
    .trim()
  return { name, kind: kindOf(node), declaration: cut(signatureOf(node)), about }
}

function kindOf(node: ts.Statement): ApiItem['kind'] {
  if (ts.isFunctionDeclaration(node)) return 'function'
  if (ts.isClassDeclaration(node)) return 'class'
  if (ts.isInterfaceDeclaration(node)) return 'interface'
  return ts.isTypeAliasDeclaration(node) ? 'type' : 'value'
}

/** The text of a declaration without what it does inside. */
function signatureOf(node: ts.Statement): string {
  const text = node.getText()
  const until = (inner: ts.Node | undefined): string =>
    inner === undefined ? text : text.slice(0, inner.getStart() - node.getStart()).trimEnd()
  if (ts.isFunctionDeclaration(node)) return until(node.body)
  if (ts.isClassDeclaration(node)) return classOf(node)
  if (!ts.isVariableStatement(node)) return text
  const [first] = node.declarationList.declarations
  const { initializer } = first ?? {}
  if (initializer !== undefined && ts.isArrowFunction(initializer)) return until(initializer.body)
  return first?.type === undefined ? text : until(initializer).replace(/\s*=$/, '')
}

function classOf(node: ts.ClassDeclaration): string {
  const members = node.members.flatMap((member) => {
    const hidden = member.name !== undefined && ts.isPrivateIdentifier(member.name)
    const { body } = member as ts.ClassElement & { readonly body?: ts.Node }
    if (hidden) return []
    const whole = member.getText()
    return [
      `  ${body === undefined ? whole : whole.slice(0, body.getStart() - member.getStart()).trimEnd()}`,
    ]
  })
  const heritage = (node.heritageClauses ?? []).map((one) => ` ${one.getText()}`).join('')
  return `export class ${node.name?.text ?? ''}${heritage} {\n${members.join('\n')}\n}`
}

function cut(text: string): string {
  const lines = text.split('\n')
  return lines.length <= MOST_LINES ? text : [...lines.slice(0, MOST_LINES), '  …'].join('\n')
}
