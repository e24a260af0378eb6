import { access, constants, mkdir } from 'node:fs/promises'
import type { Abortable, Clock } from '../base/index.ts'
import { errorData, errorLine } from '../base/index.ts'
import type { Backends } from '../tools/index.ts'
import type { Config } from './config.ts'
import { generatorFinding } from './doctor-generator.ts'
import {
  languageModelFindings,
  licences,
  modelFileFindings,
  skillFindings,
} from './doctor-models.ts'
import type { Environment } from './environment.ts'
import type { Parts } from './parts.ts'
import { PROFILE_GAPS, PROFILE_WORDS } from './profile.ts'
import type { Profile } from './profile.ts'
import { version } from './version.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly name: string
  readonly state: 'good' | 'missing' | 'bad'
  readonly detail: string
  /** How to get it or mend it, one line. */
  readonly cure?: string
}

/** Whose work a model is, and under which terms it comes. */
export interface Licence {
  readonly model: string
  readonly package: string
  readonly licence: string
  /** What is not certain about it; empty when nothing is. */
  readonly note: string
  readonly source: string
  readonly does: string
}

export interface Diagnosis {
  readonly version: string
  readonly node: string
  readonly findings: readonly Finding[]
  readonly licences: readonly Licence[]
}

export interface DoctorSetup {
  readonly config: Config
  readonly parts: Parts
  readonly env: Environment
  readonly clock: Clock
  readonly backends: Backends
}

export interface DoctorOptions extends Abortable {
  /** Asks each language model some ten small questions, and the image model for one small picture. */
  readonly probe?: boolean
}

/** Looks at everything that a run would need, and changes nothing but making the folders. */
export async function diagnose(
  setup: DoctorSetup,
  options: DoctorOptions = {},
): Promise<Diagnosis> {
  options.signal?.throwIfAborted()
  const { config } = setup
  const models = { ...setup, probe: options.probe ?? false }
  const findings = [
    nodeFinding(),
    await folderFinding('data folder', config.data),
    await folderFinding('cache folder', config.cache),
    await storeFinding(setup),
    profileFinding(config.profile),
    ...modelFileFindings(config.profile),
    ...skillFindings(setup.backends),
    ...(await languageModelFindings(models, options)),
    await generatorFinding(models, options),
  ]
  return { version, node: process.versions.node, findings, licences: licences() }
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const good = major > 22 || (major === 22 && minor >= 18)
  return {
    ...{ name: 'Node', state: good ? 'good' : 'bad', detail: process.versions.node },
    ...(good ? {} : { cure: 'Install Node 22.18 or later.' }),
  }
}

/** What the chosen models are for, and what they leave open. */
function profileFinding(profile: Profile): Finding {
  const state = profile === 'hub' || profile === 'remote' ? 'missing' : 'good'
  const detail = `${profile}, ${PROFILE_WORDS[profile]}`
  return { name: 'profile', state, detail, cure: PROFILE_GAPS[profile] }
}

async function folderFinding(name: string, path: string): Promise<Finding> {
  try {
    await mkdir(path, { recursive: true })
    await access(path, constants.W_OK)
    return { name, state: 'good', detail: path }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    const cure = 'Give a folder that can be written, with --data or PUPIL_HOME.'
    return { name, state: 'bad', detail: `${path} cannot be written (${reason})`, cure }
  }
}

async function storeFinding({ config, parts }: DoctorSetup): Promise<Finding> {
  const where = config.store.replace(/\/\/[^@/]*@/, '//')
  try {
    const { migrationCount } = await import('../stores/index.ts')
    const { dialect } = await parts.db()
    return {
      name: 'store',
      state: 'good',
      detail: `${dialect}, ${where}, version ${migrationCount}`,
    }
  } catch (error) {
    const data = errorData(error)
    return { name: 'store', state: 'bad', detail: errorLine(data) }
  }
}
