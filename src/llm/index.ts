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
export {
  messagePictures,
  messageText,
  promptText,
  requestPictures,
  requestText,
} from './messages.ts'
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
export type { PictureEncoder, PictureFile } from './picture.ts'
export { encodeOnce, jpegFile } from './picture.ts'
export type { ModelSources } from './resolve.ts'
export { ollamaBaseUrl, resolveModel } from './resolve.ts'
export { PROVIDERS } from './vendor-reach.ts'
export type { EditedPicture, PictureEdit, PictureEditor } from './picture-editor.ts'
export type { Embedder } from './providers/sdk-embedder.ts'
export { EMBEDDING_PROVIDERS, resolveEmbedder } from './resolve-embedder.ts'
export { EDITING_PROVIDERS, resolveEditor } from './resolve-editor.ts'
export type { EditorLimits } from './with-editor-limits.ts'
export { withEditorLimits } from './with-editor-limits.ts'
export type { SdkModel, SdkModelOptions } from './providers/sdk-model.ts'
export { fromAiSdk } from './providers/sdk-model.ts'
export type { GgufModel } from './providers/gguf.ts'
export { ggufModel } from './providers/gguf.ts'
export type { GgufOptions } from './providers/gguf-runtime.ts'
export { LLAMA_VERSION } from './providers/gguf-runtime.ts'
export type { StructuredReply } from './structured.ts'
export { generateStructured, jsonSchemaOf, readStructured } from './structured.ts'
export { jsonCandidates, withoutThoughts } from './extract-json.ts'
export { createBudget, overBudget } from './budget.ts'
export { withBudget } from './with-budget.ts'
export type { ReplyCache } from './reply-cache.ts'
export { folderReplies, memoryReplies, replyKey } from './reply-cache.ts'
export { withCache } from './with-cache.ts'
export { withLog } from './with-log.ts'
export type { RecordedCall } from './with-record.ts'
export { recordedCall, replayModel, withRecord } from './with-record.ts'
export type { RetryPolicy } from './with-retry.ts'
export { withRetry } from './with-retry.ts'
export { withTimeout } from './with-timeout.ts'
export type { Price, Prices } from './prices.ts'
export { costOf, priceOf } from './prices.ts'
export { countTokens, estimateTokens, estimateUsage } from './tokens.ts'
export type { FittedPrompt } from './fit-prompt.ts'
export { fitPrompt } from './fit-prompt.ts'
export type { Probe, ProbeOptions, ProbeReport } from './probe.ts'
export { probeModel } from './probe.ts'
