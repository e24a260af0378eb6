import type { PythonDict, PythonValue } from '../../tools/index.ts'
import type { Dialogue } from './dialogue.ts'
import { fromLlava, fromLlavaPlus, toLlava, toLlavaPlus } from './target-llava.ts'
import { fromMessages, toMessages, toPartMessages } from './target-messages.ts'
import { fromNative, toFactoryTools, toSwiftTools } from './target-native.ts'

/** A trainer whose data format is written and read. */
export type TargetName =
  | 'llava-plus'
  | 'llava'
  | 'llama-factory'
  | 'llama-factory-tools'
  | 'trl'
  | 'ms-swift'
  | 'ms-swift-tools'

export interface Target {
  /** `list`: one JSON list; `lines`: JSON lines. */
  readonly file: 'list' | 'lines'
  write(dialogue: Dialogue): PythonDict
  /** The inverse. @throws UserFault `E_DIALOGUE` naming what is at fault */
  read(row: PythonValue): Dialogue
}

/** All formats (llava-plus §7.6). */
export const TARGETS: Readonly<Record<TargetName, Target>> = {
  'llava-plus': { file: 'list', write: toLlavaPlus, read: fromLlavaPlus },
  llava: { file: 'list', write: toLlava, read: fromLlava },
  'llama-factory': { file: 'list', write: toFactory, read: fromLlava },
  'llama-factory-tools': { file: 'list', write: toFactoryTools, read: fromNative },
  trl: { file: 'lines', write: toPartMessages, read: fromMessages },
  'ms-swift': { file: 'lines', write: toMessages, read: fromMessages },
  'ms-swift-tools': { file: 'lines', write: toSwiftTools, read: fromNative },
}

/** LLaMA-Factory wants a list of pictures, as many as there are `<image>`, always a list. */
function toFactory(dialogue: Dialogue): PythonDict {
  const { image } = dialogue
  const row = new Map([...toLlava(dialogue)].filter(([key]) => key !== 'image'))
  return row.set('images', image === undefined ? [] : [image])
}
