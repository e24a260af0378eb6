import type { LanguageModel } from '../../../llm/index.ts'
import type { Lister } from '../../backends.ts'

/** Lists names with a language model. */
export function llmLister(model: LanguageModel): Lister {
  return {
    name: `llm/${model.id}`,
    models: () => [{ name: model.id }],
    can: ['lists names of anything: people, works, brands, kinds with conditions'],
    cannot: ['guarantee that a list is complete or true'],
    list: async (query, max, options = {}) => {
      const content = `List ${query}. Give at most ${max} names, one on each line, without numbers or remarks.`
      const reply = await model.generate(
        { messages: [{ role: 'user', content }], maxTokens: 20 + 12 * max },
        options,
      )
      return { known: true, text: reply.text, notices: [] }
    },
  }
}
