import { DIALOGUE_TYPES } from './dialogue.ts'
import { GQA_TYPES } from './gqa/index.ts'
import { IMGEDIT_TYPES } from './imgedit.ts'
import { KNOWLEDGE_TYPES } from './knowledge.ts'
import { NLVR_TYPES } from './nlvr.ts'
import type { QuestionType } from './question.ts'
import { TAGGING_TYPES } from './tagging.ts'

/** Every way of asking, of all families. */
export const ALL_TYPES: readonly QuestionType[] = [
  ...GQA_TYPES,
  ...NLVR_TYPES,
  ...IMGEDIT_TYPES,
  ...TAGGING_TYPES,
  ...KNOWLEDGE_TYPES,
  ...DIALOGUE_TYPES,
]
