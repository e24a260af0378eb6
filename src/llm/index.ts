export type {
  Budget,
  BudgetLimits,
  LanguageModel,
  Message,
  ModelCapabilities,
  ModelReply,
  ModelRequest,
  Part,
  ReplyPart,
  Spent,
  ToolCallPart,
  ToolOffer,
  Usage,
} from './model.ts'
export { messagePictures, messageText, requestPictures, requestText } from './messages.ts'
export { collect, isCut, replay, replyOf } from './reply.ts'
export type {
  ScriptedAnswer,
  ScriptedModel,
  ScriptedParts,
  ScriptedReply,
  ScriptedWhen,
  ScriptLine,
} from './scripted.ts'
export { scriptedModel } from './scripted.ts'
