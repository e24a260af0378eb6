import { LOCAL_SOURCE, sourceFault } from '../../tools/index.ts'
import type { SourceProvider } from '../../tools/index.ts'
import type { LanguageModel } from '../../llm/index.ts'
import { DATA_RULE, fenceData } from './outside-text.ts'

const SYSTEM = `Answer the question in one short sentence. Say "unknown" when you do not know.
${DATA_RULE}`

/** The configured language model as a source: weighs little, so that its word alone never stands as sourced. */
export function llmQaProvider(
  model: LanguageModel,
  options: { readonly nonce: string; readonly fits: (text: string) => boolean },
): SourceProvider {
  return {
    ...LOCAL_SOURCE,
    ...{ id: `llm/${model.id}`, tool: 'llm_qa', licence: '', timeoutMs: 60_000 },
    call: async ({ q = '', claims = [] }, { signal }) => {
      const known = claims.map((text, i) =>
        fenceData(text, { id: `c${i + 1}`, src: 'memory', nonce: options.nonce }),
      )
      // The names in it may have been read off the picture or a page.
      const asked = fenceData(q, { id: 'question', src: 'question', nonce: options.nonce })
      const lines = [...(known.length === 0 ? [] : ['Known:', ...known]), `Question: ${asked}`]
      const user = lines.join('\n')
      if (!options.fits(`${SYSTEM}\n${user}`)) {
        throw sourceFault('llm_qa', 'quota', 'the budget does not cover another call of the model')
      }
      const messages = [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: user },
      ] as const
      const { text } = await model.generate({ messages, maxTokens: 200 }, { signal })
      return { text: text.trim() }
    },
  }
}
