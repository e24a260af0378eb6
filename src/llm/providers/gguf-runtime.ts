import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Unavailable, UserFault } from '../../base/index.ts'
import type { Log } from '../../base/index.ts'

/** The version we are tested with; the optional peer of our package. */
export const LLAMA_VERSION = '3.21.1'

/** The part of node-llama-cpp that we use. */
export interface LlamaModule {
  getLlama(options: object): Promise<Llama>
  readonly LlamaChat: new (options: { contextSequence: LlamaSequence }) => LlamaChat
}

export interface Llama {
  loadModel(options: { modelPath: string; loadSignal?: AbortSignal }): Promise<LlamaWeights>
  createGrammar(options: { grammar: string }): Promise<LlamaGrammar>
  createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>
  getGrammarFor(kind: 'json'): Promise<LlamaGrammar>
  dispose(): Promise<void>
}

export interface LlamaWeights {
  readonly trainContextSize: number
  tokenize(text: string): readonly unknown[]
  createContext(options: { contextSize: number; threads: number }): Promise<LlamaContext>
}

export interface LlamaContext {
  readonly contextSize: number
  getSequence(): LlamaSequence
}

export type LlamaSequence = object
export type LlamaGrammar = object

export interface LlamaChat {
  generateResponse(history: readonly object[], options: object): Promise<LlamaResponse>
  dispose(options?: { disposeSequence?: boolean }): void
}

export interface LlamaResponse {
  readonly response: string
  readonly metadata: { readonly stopReason: string }
}

export interface GgufOptions {
  /** Where node-llama-cpp lies, when it is not a package of this project: its folder or its entry. */
  readonly modulePath?: string
  /** Default false: the processor, so that the same file gives the same text everywhere. */
  readonly gpu?: boolean
  /** Of the window; the model's own if that is smaller. Default 4,096. */
  readonly contextTokens?: number
  /** Default: one less than the cores. With all of them, its threads spin while others work. */
  readonly threads?: number
}

/** A loaded file, ready to write. */
export interface GgufRuntime {
  readonly llama: Llama
  readonly weights: LlamaWeights
  readonly context: LlamaContext
  readonly chat: LlamaChat
}

/**
 * Loads a GGUF file.
 *
 * @throws UserFault `E_MODEL_FILE` when there is no such file; Unavailable `E_NOT_INSTALLED` without
 *   node-llama-cpp, `E_MODEL_LOAD` when the runtime cannot load the file
 */
export async function loadGguf(
  path: string,
  options: GgufOptions,
  { log, signal }: { log: Log; signal?: AbortSignal | undefined },
): Promise<GgufRuntime> {
  await checkFile(path)
  const { getLlama, LlamaChat } = await importLlama(options.modulePath)
  try {
    const llama = await getLlama({
      gpu: options.gpu === true ? 'auto' : false,
      build: 'never',
      progressLogs: false,
      logLevel: 'warn',
      logger: (level: string, message: string) => log.debug('llama.cpp', { level, message }),
    })
    const weights = await llama.loadModel({
      modelPath: path,
      ...(signal && { loadSignal: signal }),
    })
    const contextSize = Math.min(options.contextTokens ?? 4096, weights.trainContextSize)
    const { threads = Math.max(1, availableParallelism() - 1) } = options
    const context = await weights.createContext({ contextSize, threads })
    return {
      llama,
      weights,
      context,
      chat: new LlamaChat({ contextSequence: context.getSequence() }),
    }
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    throw new Unavailable('E_MODEL_LOAD', `llama.cpp cannot load ${path}: ${String(cause)}`, {
      fields: { path, retry: false },
      cure: 'Check that it is a whole GGUF file and that it fits in memory.',
      cause,
    })
  }
}

async function checkFile(path: string): Promise<void> {
  const isFile = await stat(path).then(
    (file) => file.isFile(),
    () => false,
  )
  if (isFile) return
  throw new UserFault('E_MODEL_FILE', `There is no model file ${path}.`, {
    fields: { path },
    cure: 'Give the path of a .gguf file after "gguf/".',
  })
}

async function importLlama(modulePath: string | undefined): Promise<LlamaModule> {
  const name = modulePath === undefined ? 'node-llama-cpp' : entryOf(modulePath)
  try {
    return (await import(name)) as LlamaModule
  } catch (cause) {
    throw new Unavailable(
      'E_NOT_INSTALLED',
      'GGUF files need node-llama-cpp, which is not there.',
      {
        fields: { package: 'node-llama-cpp', version: LLAMA_VERSION, retry: false },
        cure: `Install it with "npm install node-llama-cpp@${LLAMA_VERSION}".`,
        cause,
      },
    )
  }
}

function entryOf(modulePath: string): string {
  const file = /\.m?js$/.test(modulePath) ? modulePath : join(modulePath, 'dist', 'index.js')
  return pathToFileURL(file).href
}
