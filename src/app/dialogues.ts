import type { TargetName } from '../learning/index.ts'
import type {
  DialogueConfig,
  DialogueOptions,
  DialogueRequest,
  DialoguesMade,
} from './dialogue-desk.ts'

/** Every trainer that instruction data is written for. */
const NAMES: Readonly<Record<TargetName, true>> = {
  'llava-plus': true,
  llava: true,
  'llama-factory': true,
  'llama-factory-tools': true,
  trl: true,
  'ms-swift': true,
  'ms-swift-tools': true,
}
export const DIALOGUE_TARGETS = Object.keys(NAMES) as readonly TargetName[]

/** As `makeInstructionData` of dialogue-desk; learning is loaded when it is wanted, not with the library. */
export async function makeInstructionData(
  request: DialogueRequest,
  config: DialogueConfig,
  options: DialogueOptions = {},
): Promise<DialoguesMade> {
  const desk = await import('./dialogue-desk.ts')
  return desk.makeInstructionData(request, config, options)
}
