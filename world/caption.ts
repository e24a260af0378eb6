import type { Lexicon } from './lexicon.ts'
import { listed, NUMBER_WORDS, withArticle } from './tasks/words.ts'
import type { Scene } from './types.ts'

/** One sentence that names what is in a scene, with numbers and clear colours. */
export function captionOf(lexicon: Lexicon, scene: Scene): string {
  const groups = Map.groupBy(scene.objects, ({ concept }) => concept)
  const parts = [...groups].map(([id, objects]) => {
    const concept = lexicon.concept(id)
    const number = NUMBER_WORDS[objects.length] ?? String(objects.length)
    if (objects.length > 1) return `${number} ${concept.plural}`
    const colour = objects[0]?.tint !== null ? objects[0]?.colour : null
    if (colour == null || concept.article === '') return withArticle(concept)
    return `${/^[aeiou]/.test(colour) ? 'an' : 'a'} ${colour} ${concept.label}`
  })
  return parts.length === 0 ? 'An empty scene.' : `A picture with ${listed(parts)}.`
}
