import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exportDecisions, importDecisions } from '../agents/index.ts'
import { deepFreeze } from '../base/index.ts'
import type { Decision, DecisionBook } from '../memory/index.ts'

/** A book of decisions in a file, with what could not be read of it. */
export interface DecisionFile extends DecisionBook {
  /** Lines that are no decisions, by file and number; they are skipped. */
  problems(): Promise<readonly string[]>
}

/**
 * Decisions as JSON lines in a file, appended one by one; forgetting writes the file anew without them.
 *
 * @source avis §10
 */
export function decisionFile(path: string): DecisionFile {
  let known:
    { readonly text: string; readonly read: ReturnType<typeof importDecisions> } | undefined
  const read = async (): Promise<ReturnType<typeof importDecisions>> => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    if (known?.text !== text) known = { text, read: importDecisions(text, path) }
    return known.read
  }
  return {
    append: async (decision) => {
      if (!decision.consent) return false
      await mkdir(dirname(path), { recursive: true })
      // What is private is kept whole here; it leaves as hashes only when it is exported.
      await appendFile(path, `${JSON.stringify(deepFreeze({ ...decision }))}\n`)
      return true
    },
    list: async () => (await read()).decisions,
    problems: async () => (await read()).problems,
    forget: async (of) => {
      const [name, value] = Object.entries(of)[0] ?? []
      const { decisions } = await read()
      const kept = decisions.filter((one) => one[name as keyof Decision] !== value)
      if (kept.length === decisions.length) return 0
      const young = `${path}.${process.pid}.new`
      await writeFile(young, kept.map((one) => `${JSON.stringify(one)}\n`).join(''))
      await rename(young, path)
      return decisions.length - kept.length
    },
    version: async () => (await read()).decisions.length,
  }
}

/** Decisions as they may leave: what is private by hashes and summaries. */
export const decisionsText = exportDecisions
