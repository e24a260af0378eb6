import type { Clock } from '../base/index.ts'
import {
  folderReplies,
  resolveModel,
  withBudget,
  withCache,
  withRetry,
  withTimeout,
} from '../llm/index.ts'
import type { Budget, LanguageModel } from '../llm/index.ts'
import { llmAnswerer, llmCaptioner, llmLister } from '../tools/index.ts'
import type { Backends } from '../tools/index.ts'
import { cacheFolders } from './cache.ts'
import type { Config, LanguageRole } from './config.ts'
import type { Environment } from './environment.ts'
import { generatorFiller } from './generator.ts'
import { modelSources } from './model-sources.ts'

/** The models of the configuration, by role; each spends from the budget it is given. */
export interface RoleModels {
  /** The model of a role, or undefined when none is configured. */
  get(role: LanguageRole): LanguageModel | undefined
  /** The same, spending; a reply that is known already costs nothing. */
  spending(role: LanguageRole, budget: Budget): LanguageModel | undefined
  /** Back ends with the models of `vqa`, `caption`, `list` and `generator` before the others. */
  backends(others: Backends, budget: Budget): Backends
}

/** @throws UserFault `E_MODEL_NAME`, `E_MODEL_KEY`, `E_MODEL_ADDRESS` when a role is first used */
export function roleModels(config: Config, env: Environment, clock: Clock): RoleModels {
  const sources = modelSources(config, env)
  const known = new Map<LanguageRole, LanguageModel>()
  const get = (role: LanguageRole): LanguageModel | undefined => {
    const name = config.models[role]
    if (name === undefined || known.has(role)) return known.get(role)
    const patient = withRetry(withTimeout(resolveModel(name, sources), { clock }), { clock })
    known.set(role, patient)
    return patient
  }
  const replies = config.replyCache ? folderReplies(cacheFolders(config).replies) : undefined
  const spending = (role: LanguageRole, budget: Budget): LanguageModel | undefined => {
    const model = get(role)
    if (model === undefined) return undefined
    const paying = withBudget(model, budget, { clock, prices: config.prices })
    return replies === undefined ? paying : withCache(paying, replies, { clock })
  }
  return {
    get,
    spending,
    backends: (others, budget) => {
      const [vqa, caption, list] = (['vqa', 'caption', 'list'] as const).map((role) =>
        spending(role, budget),
      )
      const painter = generatorFiller({ config, env, clock, budget })
      return {
        ...others,
        fillers: painter === undefined ? others.fillers : [painter, ...others.fillers],
        answerers: vqa === undefined ? others.answerers : [llmAnswerer(vqa), ...others.answerers],
        captioners:
          caption === undefined ? others.captioners : [llmCaptioner(caption), ...others.captioners],
        listers: list === undefined ? others.listers : [llmLister(list), ...others.listers],
      }
    },
  }
}
