#!/usr/bin/env node
// Starts the command line from sources in a checkout, from dist/ in the published package. A host whose Node is
// too old for TypeScript sources hands over to the Node that is a devDependency.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const recent = major > 22 || (major === 22 && minor >= 18)
const source = here('../src/doors/cli/main.ts')

if (!recent) {
  const node = here('../node_modules/node/bin/node')
  if (!existsSync(node) || process.env.PUPIL_REEXEC) {
    console.error(
      `Pupil needs Node 22.18 or later; this is ${process.versions.node}. Install a newer Node.`,
    )
    process.exit(1)
  }
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawnSync(node, args, {
    stdio: 'inherit',
    env: { ...process.env, PUPIL_REEXEC: '1' },
  })
  process.exit(child.status ?? 1)
}
enableCompileCache?.()
const { main } = await import(existsSync(source) ? source : here('../dist/src/doors/cli/main.js'))
process.exitCode = await main(process.argv.slice(2))
