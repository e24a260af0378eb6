import { canonicalJson } from '../../base/index.ts'
import { STOP_WORDS } from './stop-words.ts'
import type { Action } from './types.ts'

/**
 * The name of an action within a run: tool and canonical arguments (avis §1).
 *
 * A query counts as a bag of words: another order, other case or other stop words are the same action.
 *
 * @param picture  content hash of the picture that region tools look at
 */
export function actionKey({ tool, args }: Action, picture: string): string {
  const { region, q, id, url } = args
  const canonical = {
    ...(region === undefined ? {} : { region: region.map(Math.round) }),
    ...(q === undefined ? {} : { q: queryBag(q) }),
    // An entry is known by its address: the same page found twice is one action.
    ...(url !== undefined ? { url } : id === undefined ? {} : { id }),
  }
  const looks = REGION_TOOLS.has(tool)
  return `${tool} ${canonicalJson(looks ? { ...canonical, picture } : canonical)}`
}

/** Tools that look at a region of the picture. */
export const REGION_TOOLS: ReadonlySet<string> = new Set([
  ...['caption', 'vqa', 'detect', 'ocr', 'image_search'],
])

/** Tools with a query that may be rewritten; the others act once on each region. */
export const QUERY_TOOLS: ReadonlySet<string> = new Set(['web_search', 'kb_lookup', 'llm_qa'])

/** The words of a query, sorted, without stop words (all of them, when there are only those). */
export function queryBag(q: string): string {
  const words =
    q
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : words).toSorted().join(' ')
}
