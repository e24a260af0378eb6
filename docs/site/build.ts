// npm run docs: writes the site to dist/docs; nothing is fetched.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siteFiles } from './site.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = join(root, 'dist/docs')
rmSync(out, { recursive: true, force: true })
const files = siteFiles(root)
for (const { path, content } of files) {
  const file = join(out, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
console.log(`${files.length} files in ${out}; open index.html`)
