import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { main } from '../../src/doors/cli/main.ts'

/** What a command said. */
export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly cwd: string
}

export interface Setting {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly signal?: AbortSignal
}

/** The command line without a process: each call in a folder of its own, unless one is given. */
export interface CommandLine {
  (argv: readonly string[], setting?: Setting): Promise<Said>
  /** A fresh folder. */
  folder(): string
  /** Takes all folders away. */
  remove(): void
}

/** @param cache  kept between calls, so that models are converted once */
export function commandLine(name: string, cache?: string): CommandLine {
  const root = mkdtempSync(join(tmpdir(), `pupil-${name}-`))
  let folders = 0
  const folder = (): string => {
    const path = join(root, String(folders++))
    mkdirSync(path)
    return path
  }
  const run = async (argv: readonly string[], setting: Setting = {}): Promise<Said> => {
    const cwd = setting.cwd ?? folder()
    const [stdout, stderr] = [sink(), sink()]
    const env = {
      PUPIL_HOME: join(cwd, 'home'),
      ...(cache === undefined ? {} : { PUPIL_CACHE: cache }),
      ...setting.env,
    }
    const stdin = Readable.from(setting.stdin === undefined ? [] : [Buffer.from(setting.stdin)])
    const { signal } = setting
    const code = await main(argv, { stdin, stdout, stderr, cwd, env, ...(signal && { signal }) })
    return { code, out: stdout.text(), err: stderr.text(), cwd }
  }
  const remove = (): void => rmSync(root, { recursive: true, force: true })
  return Object.assign(run, { folder, remove })
}

function sink() {
  const chunks: Uint8Array[] = []
  return {
    write: (text: string | Uint8Array): void => {
      chunks.push(typeof text === 'string' ? Buffer.from(text) : text)
    },
    text: (): string => Buffer.concat(chunks).toString('utf8'),
  }
}

/** The one document on stdout. */
export function documentOf<T = Record<string, unknown>>(said: Said): T {
  return JSON.parse(said.out) as T
}
