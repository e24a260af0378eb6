import type { QuestionType } from '../question.ts'
import { colourPlain, colourRelation, side, size } from './attribute.ts'
import {
  chooseColour,
  chooseName,
  chooseRelation,
  compareColour,
  compareSize,
  nameKind,
  nameRelation,
} from './choose.ts'
import { countPlain, countRelation, existKind, existPlain, existRelation } from './exist.ts'
import { LOGICAL } from './logical.ts'

/** Questions about one picture with an exact short answer. @source picture-world §5.1 */
export const GQA_TYPES: readonly QuestionType[] = [
  existPlain,
  existRelation,
  countPlain,
  countRelation,
  colourPlain,
  colourRelation,
  side,
  size,
  nameRelation,
  chooseColour,
  chooseRelation,
  compareSize,
  compareColour,
  ...LOGICAL,
  chooseName,
  existKind,
  nameKind,
]
