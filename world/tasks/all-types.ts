import { GQA_TYPES } from './gqa/index.ts'
import type { QuestionType } from './question.ts'

/** Every way of asking, of all families. */
export const ALL_TYPES: readonly QuestionType[] = [...GQA_TYPES]
