import { fork } from 'node:child_process'
import type { Json } from '../base/index.ts'

/** How a worker process ended. */
export type ProcessEnd =
  /** Nothing was left to do, or it was asked to stop. */
  | { readonly kind: 'clean' }
  /** It grew over its cap and ended itself. */
  | { readonly kind: 'memory' }
  /** It was killed or crashed; `how` says it in words. */
  | { readonly kind: 'died'; readonly how: string }

/** A process that works off jobs. */
export interface WorkerProcess {
  /** Its name among workers: what it takes is filed under it. */
  readonly owner: string
  readonly pid: number | undefined
  readonly ended: Promise<ProcessEnd>
  /** Asks it to give its job back and end. */
  stop(): void
}

export interface ProcessSetup {
  /** The module that the process runs; it calls `workAsProcess`. */
  readonly entry: URL
  readonly owner: string
  /** What the entry is to know; plain JSON, never on a command line. */
  readonly setup: Json
  /** Memory of the whole process, native parts included; at this much it ends itself. */
  readonly mostBytes: number
  /** Lower priority than what answers: 0 the same, 19 the least; default 10. */
  readonly nice?: number
}

/** What is sent to the process first. */
export interface ProcessOrder {
  readonly owner: string
  readonly setup: Json
  readonly mostBytes: number
  readonly nice: number
}

/** The exit code of a process that grew over its cap. */
export const OVER_MEMORY = 83

/** Starts a worker process; the heap of JavaScript is held under the same cap by V8 itself. */
export function startWorkerProcess(options: ProcessSetup): WorkerProcess {
  const { entry, owner, setup, mostBytes, nice = 10 } = options
  const heap = Math.max(64, Math.floor(mostBytes / 2 ** 20))
  const child = fork(entry, {
    execArgv: [`--max-old-space-size=${heap}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let failed: string | undefined
  child.on('message', (message: { readonly failed?: string }) => (failed = message.failed))
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'died', how: error.message }))
    child.once('exit', (code, signal) => resolve(endOf(code, signal, failed)))
  })
  const order: ProcessOrder = { owner, setup, mostBytes, nice }
  // A process that died before it heard is told of by its end.
  child.send(order, () => {})
  return {
    ...{ owner, pid: child.pid, ended },
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}

function endOf(code: number | null, signal: string | null, failed?: string): ProcessEnd {
  if (code === 0) return { kind: 'clean' }
  if (code === OVER_MEMORY) return { kind: 'memory' }
  const how = failed ?? (signal === null ? `exit code ${code}` : `signal ${signal}`)
  return { kind: 'died', how }
}
