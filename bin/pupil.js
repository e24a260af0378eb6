#!/usr/bin/env node
// Starts the command line from sources in a checkout, from dist/ in the published package. A host whose Node is
// too old for TypeScript sources hands over to the Node that is a devDependency.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const recent = major > 22 || (major === 22 && minor >= 18)

if (recent) {
  module.enableCompileCache?.()
  const source = here('../src/doors/cli/main.ts')
  const { main } = await import(existsSync(source) ? source : here('../dist/src/doors/cli/main.js'))
  process.exitCode = await main(process.argv.slice(2))
} else {
  handOver(here('../node_modules/node/bin/node'))
}

function handOver(node) {
  if (!existsSync(node) || process.env.PUPIL_REEXEC) {
    console.error(
      `Pupil needs Node 22.18 or later; this is ${process.versions.node}. Install a newer Node.`,
    )
    process.exit(1)
  }
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, PUPIL_REEXEC: '1' }
  const child = spawn(node, args, { stdio: 'inherit', env })
  // A terminal signals both processes; a supervisor only this one, so what comes here is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
  })
}
