import type { ChatDesk, ChatDeskOptions } from './chat-desk.ts'
import type { Config } from './config.ts'

/**
 * Opens a chat with the model of the role `chat`, or `planner`; without either by analogy with recorded
 * dialogues, which needs no language model.
 *
 * @throws UserFault `E_CONVERSATION`, `E_MODEL_NAME`, `E_MODEL_KEY`
 */
export async function openChat(config: Config, options: ChatDeskOptions = {}): Promise<ChatDesk> {
  return (await import('./chat-desk.ts')).openChatDesk(config, options)
}
