import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ALLOWED, BUDGET, LONG_FILES, SOLE_HOME } from './guard.data.ts'
import { mayImport, readHouse, roomOf } from './house.ts'
import type { SourceFile } from './house.ts'

const house = readHouse()
const known = new Map(house.map((file) => [file.path, file]))

test('every room imports only the rooms that the plan allows, and only through their face', () => {
  const faults = house.flatMap((file) => file.imports.flatMap((one) => fault(file, one)))
  assert.deepEqual(faults, [])
})

test('every third-party package with a home is imported in its home only', () => {
  const faults = house.flatMap((file) =>
    file.imports.flatMap(({ to, line }) => {
      const home = SOLE_HOME[to] ?? SOLE_HOME[packageOf(to)]
      const room = roomOf(file.path) ?? ''
      return home === undefined || home.includes(room)
        ? []
        : [`${file.path}:${line} may not import ${to} (its home: ${home.join(', ')})`]
    }),
  )
  assert.deepEqual(faults, [])
})

test('only app reads the environment', () => {
  const faults = house
    .filter((file) => !['app', 'testing'].includes(roomOf(file.path) ?? ''))
    .filter((file) => /process\.env\b/.test(read(file)))
    .map((file) => file.path)
  assert.deepEqual(faults, [])
})

test('no files import each other in a circle', () => {
  assert.deepEqual(cycles(), [])
})

test('no source file is over 700 lines and no function over 80', () => {
  const files = house.filter(
    (file) => file.lines > BUDGET.fileFail && !LONG_FILES.includes(file.path),
  )
  const functions = house.flatMap((file) =>
    file.functions
      .filter((one) => one.lines > BUDGET.functionFail)
      .map((one) => `${file.path}:${one.line} ${one.name} has ${one.lines} lines`),
  )
  assert.deepEqual(
    [files.map((file) => `${file.path} has ${file.lines} lines`), functions],
    [[], []],
  )
})

test('every room has a face and a README', () => {
  const rooms = Object.keys(ALLOWED).filter((room) =>
    house.some((file) => roomOf(file.path) === room),
  )
  const missing = rooms
    .filter((room) => !['index', 'doors/web', 'doors/cli', 'world'].includes(room))
    .filter((room) => !known.has(`src/${room}/index.ts`))
  assert.deepEqual(missing, [])
})

function read(file: SourceFile): string {
  return readFileSync(new URL(`../${file.path}`, import.meta.url), 'utf8')
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

function fault(file: SourceFile, one: SourceFile['imports'][number]): string[] {
  const from = roomOf(file.path)
  const to = roomOf(one.to)
  if (from === undefined || to === undefined || from === to) return []
  const where = `${file.path}:${one.line}`
  if (!mayImport(from, to, one)) {
    return [`${where} may not import ${to} (allowed: ${(ALLOWED[from] ?? []).join(', ')})`]
  }
  const face = to === 'world' ? 'world/index.ts' : `src/${to}/index.ts`
  const doorEntry = to.startsWith('doors/')
  return one.to === face || doorEntry ? [] : [`${where} goes behind the face of ${to}: ${one.to}`]
}

function cycles(): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
      return
    }
    state.set(path, 'open')
    for (const one of known.get(path)?.imports ?? []) {
      if (!one.typeOnly && !one.lazy && known.has(one.to)) visit(one.to, [...trail, path])
    }
    state.set(path, 'done')
  }
  for (const path of known.keys()) visit(path, [])
  return found
}
