import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, sha256, writeAtomic } from '../base/index.ts'
import type { ModelReply, ModelRequest } from './model.ts'

/** Replies by the key of what was asked. */
export interface ReplyCache {
  get(key: string): Promise<ModelReply | undefined>
  set(key: string, reply: ModelReply): Promise<void>
}

/**
 * The key of a request to a model: SHA-256 of both as canonical JSON, pictures by their hash.
 *
 * Settings left out and settings given as their default have different keys.
 */
export function replyKey(model: string, request: ModelRequest): string {
  return sha256(new TextEncoder().encode(canonicalJson({ model, request: withoutPixels(request) })))
}

export function memoryReplies(): ReplyCache {
  const replies = new Map<string, ModelReply>()
  return {
    get: async (key) => replies.get(key),
    set: async (key, reply) => void replies.set(key, reply),
  }
}

/**
 * Replies in a folder, one JSON file each; safe for several processes.
 *
 * A file that cannot be read as a reply counts as missing and is written anew.
 *
 * @throws Unavailable `E_DATA_FOLDER` when the folder cannot be written
 */
export function folderReplies(folder: string): ReplyCache {
  const path = (key: string): string => join(folder, key.slice(0, 2), `${key}.json`)
  return {
    get: async (key) => {
      const text = await readFile(path(key), 'utf8').catch(() => undefined)
      return text === undefined ? undefined : readReply(text)
    },
    set: async (key, reply) => {
      await writeAtomic(path(key), JSON.stringify(reply))
    },
  }
}

function readReply(text: string): ModelReply | undefined {
  try {
    const reply = JSON.parse(text) as Partial<ModelReply> | null
    const whole = typeof reply?.text === 'string' && Array.isArray(reply.toolCalls)
    return whole && typeof reply.model === 'string' ? (reply as ModelReply) : undefined
  } catch {
    return undefined
  }
}

function withoutPixels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPixels)
  if (value === null || typeof value !== 'object') return value
  const { type, hash } = value as { type?: unknown; hash?: unknown }
  if (type === 'image' && typeof hash === 'string') return { type, hash }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutPixels(one)]))
}
