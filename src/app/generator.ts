import { UserFault } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import { EDITING_PROVIDERS, resolveEditor, withEditorLimits } from '../llm/index.ts'
import type { Budget } from '../llm/index.ts'
import { controllerClient, editorFiller, remoteFiller, remoteTools } from '../tools/index.ts'
import type { Filler } from '../tools/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { modelSources } from './model-sources.ts'

/** Providers of the LLaVA-Plus protocol: its controller, or one worker by its own address. */
const REMOTE = ['llava-plus', 'llava-plus-worker'] as const

export interface GeneratorSetup {
  readonly config: Config
  readonly env: Environment
  readonly clock: Clock
  readonly budget: Budget
}

/**
 * What REPLACE generates with, when `models.generator` names it.
 *
 * @throws UserFault `E_MODEL_NAME`, `E_MODEL_KEY`, `E_MODEL_ADDRESS`
 */
export function generatorFiller({
  config,
  env,
  clock,
  budget,
}: GeneratorSetup): Filler | undefined {
  const name = config.models.generator
  if (name === undefined) return undefined
  const provider = name.slice(0, name.indexOf('/'))
  if (REMOTE.some((one) => one === provider))
    return paid(remote(name, provider, { config, clock }), budget)
  const sources = { ...modelSources(config, env), clock }
  const editor = resolveEditor(name, sources, [...EDITING_PROVIDERS, ...REMOTE])
  return editorFiller(withEditorLimits(editor, { clock, budget, prices: config.prices }))
}

function remote(
  name: string,
  provider: string,
  { config, clock }: Pick<GeneratorSetup, 'config' | 'clock'>,
): Filler {
  const worker = name.slice(provider.length + 1)
  const address = config.providers[provider]?.baseURL
  if (address === undefined) throw noAddress(provider)
  const tools =
    provider === 'llava-plus'
      ? remoteTools({ controller: controllerClient(address), clock })
      : remoteTools({ addresses: { [worker]: address }, clock })
  return remoteFiller(tools, worker)
}

/** Workers count nothing themselves. */
function paid(filler: Filler, budget: Budget): Filler {
  return {
    ...filler,
    fill: async (...given) => {
      budget.charge({ calls: 1, pictures: 1 })
      return filler.fill(...given)
    },
  }
}

function noAddress(provider: string): UserFault {
  const what = provider === 'llava-plus' ? 'its controller' : 'the worker'
  return new UserFault('E_MODEL_ADDRESS', `${provider} needs the address of ${what}.`, {
    fields: { provider },
    cure: `Give it in pupil.config.ts: providers: { '${provider}': { baseURL: 'http://127.0.0.1:…' } }.`,
  })
}
