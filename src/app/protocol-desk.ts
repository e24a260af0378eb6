import {
  analogyChat,
  createChatHost,
  createRepository,
  createSkillHost,
  languageChat,
  startDialogues,
} from '../agents/index.ts'
import type { ServedChat, SkillHost } from '../agents/index.ts'
import { noProgress, silentLog, systemClock } from '../base/index.ts'
import type { Abortable, Log, Progress } from '../base/index.ts'
import { createBudget } from '../llm/index.ts'
import { memoryDemonstrations } from '../memory/index.ts'
import { COCO_NAMES, createToolbox, keepRegistered } from '../tools/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { roleModels } from './models.ts'
import { openTools } from './open-tools.ts'

/** Our skills and our chat as the serving protocol of LLaVA-Plus has them. */
export interface ProtocolHosts {
  readonly tools: SkillHost
  readonly chat: ServedChat
  close(): Promise<void>
}

/** The name of our chat among models; "llava" in it tells the reference's server that it sees pictures. */
const CHAT_NAME = 'llava-pupil-v1'

/**
 * What this machine serves to others: every skill that can run here, and the chat with the configured model, or by
 * analogy without one. No model is loaded before the first call.
 *
 * @source llava-plus §5.3, §5.4
 */
export async function openProtocolHosts(
  config: Config,
  {
    env = {},
    progress = noProgress,
  }: { readonly env?: Environment; readonly progress?: Progress } = {},
): Promise<ProtocolHosts> {
  const clock = systemClock
  const models = roleModels(config, env, clock)
  const opened = await openTools({ config, progress, thread: 'worker' })
  const backends = models.backends(opened.backends, createBudget(config.budget, clock))
  const toolbox = createToolbox({ backends, settings: config.tools })
  const repository = createRepository({ backends })
  const tools = await createSkillHost({
    repository,
    call: (name, args, context) => toolbox.call(name, args, { ...context, progress }),
  })
  const named = models.get(config.models.chat === undefined ? 'planner' : 'chat')
  const analogy = analogyChat({
    ...{ pool: memoryDemonstrations(startDialogues()), vocabulary: [...COCO_NAMES] },
  })
  const listed = await repository.list()
  const skills = listed.flatMap(({ skill, where }) => (where === 'nowhere' ? [] : [skill]))
  const model = named === undefined ? analogy : languageChat(named)
  return {
    tools,
    chat: createChatHost({ name: CHAT_NAME, model, skills }),
    close: () => opened.close(),
  }
}

/** Keeps workers of this machine registered with a controller elsewhere, until the signal fires. */
export async function registerElsewhere(
  workers: readonly { readonly address: string; readonly name: string }[],
  {
    controller,
    signal,
    log = silentLog,
  }: Abortable & { readonly controller: string; readonly log?: Log },
): Promise<void> {
  await Promise.all(
    workers.map(({ address, name }) =>
      keepRegistered({
        ...{ controller, worker: address, log },
        ...(signal === undefined ? {} : { signal }),
        status: () => ({ model_names: [name], speed: 1, queue_length: 0 }),
      }),
    ),
  )
}
