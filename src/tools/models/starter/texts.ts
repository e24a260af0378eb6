import type { Abortable } from '../../../base/index.ts'
import type { RunTensor } from '../../../onnx/index.ts'
import { singular, withoutArticle } from '../../names.ts'
import type { StarterModels } from './models.ts'
import { rowsOf } from './picture-input.ts'
import type { Names } from './names.ts'
import { TEXT_LENGTH } from './subwords.ts'

/** Unit vectors of texts, made once each. */
export interface Texts {
  /** [texts, 192] of texts as they are. */
  plain(texts: readonly string[], options?: Abortable): Promise<RunTensor>
  /** [names, 192] of "a photo of an owl", which is how names are asked for. */
  named(names: readonly string[], options?: Abortable): Promise<RunTensor>
}

export function starterTexts(models: StarterModels, names: Names): Texts {
  const known = new Map<string, Float32Array>()
  const plain: Texts['plain'] = async (texts, { signal } = {}) => {
    signal?.throwIfAborted()
    const fresh = [...new Set(texts)].filter((text) => !known.has(text))
    if (fresh.length > 0) {
      const subwords = await models.subwords()
      const session = await models.session('text')
      const ids = fresh.flatMap((text) => subwords.encode(text).map(BigInt))
      const given: RunTensor = {
        ...{ type: 'int64', dims: [fresh.length, TEXT_LENGTH], data: BigInt64Array.from(ids) },
      }
      const { text } = await session.run({ ids: given })
      if (text !== undefined) rowsOf(text).forEach((row, i) => known.set(fresh[i] ?? '', row))
    }
    const width = known.get(texts[0] ?? '')?.length ?? 0
    const data = new Float32Array(texts.length * width)
    texts.forEach((text, i) => data.set(known.get(text) ?? [], i * width))
    return { type: 'float32', dims: [texts.length, width], data }
  }
  return {
    plain,
    named: (asked, options) =>
      plain(
        asked.map((name) => `a photo of ${withArticle(name, names)}`),
        options,
      ),
  }
}

/** "an owl", "a unicycle", "scissors": as the training texts have it. */
export function withArticle(name: string, names: Names): string {
  const plain = withoutArticle(name.trim().toLowerCase())
  const known = names.named(plain)
  const noun = known === undefined ? singularHead(plain) : plain
  const bare = known === undefined ? false : known.article === ''
  if (bare) return noun
  const vowel = /^[aeiou]/.test(noun) && !/^(?:uni|eu)/.test(noun)
  return `${vowel ? 'an' : 'a'} ${noun}`
}

function singularHead(name: string): string {
  const words = name.split(' ')
  const head = words.pop() ?? ''
  return [...words, singular(head)].join(' ')
}
