import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { ALLOWED } from './guard.data.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
  /** `await import()`: loaded when needed, so no cycle at start. */
  readonly lazy: boolean
  readonly line: number
}

export interface SourceFile {
  /** Path from the repository's root, with slashes. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  readonly functions: readonly {
    readonly name: string
    readonly line: number
    readonly lines: number
  }[]
}

/** Every non-test source file of `src/` and `world/`, with its imports and function lengths. */
export function readHouse(): SourceFile[] {
  return ['src', 'world']
    .flatMap((folder) => walk(join(ROOT, folder)))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|cases)\.ts$/.test(path))
    .map(readSource)
}

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (name === 'node_modules' || name === 'dist' || name === 'fixtures') return []
    return statSync(path).isDirectory() ? walk(path) : [path]
  })
}

function readSource(absolute: string): SourceFile {
  const text = readFileSync(absolute, 'utf8')
  const path = relative(ROOT, absolute).replaceAll('\\', '/')
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports: Import[] = []
  const functions: { name: string; line: number; lines: number }[] = []
  const lineOf = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1
  const add = (specifier: ts.Expression | undefined, typeOnly: boolean, lazy: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return
    const to = specifier.text
    const target = to.startsWith('.')
      ? relative(ROOT, resolve(dirname(absolute), to)).replaceAll('\\', '/')
      : to
    imports.push({ from: path, to: target, typeOnly, lazy, line: lineOf(specifier.pos) })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(
        node.moduleSpecifier,
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
        false,
      )
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly, false)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, true)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal as ts.Expression, true, false)
    }
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const start = lineOf(node.getStart())
      const lines = lineOf(node.getEnd()) - start + 1
      functions.push({ name: node.name?.getText() ?? '(anonymous)', line: start, lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { path, lines: text.split('\n').length - 1, imports, functions }
}

/** The room a path lies in, or undefined for what is no room. */
export function roomOf(path: string): string | undefined {
  const door = /^src\/(doors\/[a-z]+)\//.exec(path)
  if (door) return door[1]
  if (path.startsWith('world/')) return 'world'
  if (path === 'src/index.ts') return 'index'
  return /^src\/([a-z]+)\//.exec(path)?.[1]
}

/** True when `from` may import `to`; `how` tells types and lazy imports from values. */
export function mayImport(
  from: string,
  to: string,
  how: { typeOnly: boolean; lazy: boolean },
): boolean {
  const allowed = ALLOWED[from] ?? []
  if (from === to || allowed.includes(to)) return true
  if (how.typeOnly && allowed.includes(`${to}:types`)) return true
  return how.lazy && allowed.includes(`${to}:lazy`)
}
