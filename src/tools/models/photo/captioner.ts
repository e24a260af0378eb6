import type { Captioner, Finding } from '../../backends.ts'
import { joinLines } from '../../text-lines.ts'
import { plural } from './answer/kinds.ts'
import { likelihood } from './calibration.ts'
import type { PhotoModels } from './models.ts'
import { placeWords } from './relations.ts'
import { OBJECT_THRESHOLD } from './things.ts'
import type { Sight } from './things.ts'

const COUNT_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** A list of what was detected, as a sentence and marked as such: it sees no deeds and no mood. */
export function photoCaptioner({ eyes }: Sight, models: PhotoModels): Captioner {
  return {
    name: 'photo/list',
    models: () => [models.stamp('centernet'), models.stamp('ocr-detect')],
    can: ['lists what was detected and read, in a sentence'],
    cannot: [
      'what happens in the picture: a caption model from the hub or a vision-language model',
    ],
    caption: async (image, options) => {
      const objects = (await eyes.objects(image, options)).filter(
        (one) => one.score > OBJECT_THRESHOLD,
      )
      const text = joinLines(await eyes.lines(image, options), ' ')
      const seen = sentence(objects, (one) => placeWords(one, image))
      const read = text === '' ? '' : ` Text in it: "${text}".`
      const score =
        objects.length === 0
          ? null
          : objects.reduce((sum, one) => sum + likelihood(one.score), 0) / objects.length
      const message = 'Made from what was detected; deeds, places and moods are not seen.'
      return { text: seen + read, score, notices: [{ code: 'N_CAPTION_LISTED', message }] }
    },
  }
}

/** "A picture with a dog on the left and three people." */
function sentence(objects: readonly Finding[], place: (one: Finding) => string): string {
  if (objects.length === 0) return 'A picture in which no known object was detected.'
  const groups = Map.groupBy(objects, (one) => one.name)
  const parts = [...groups].map(([name, all]) => {
    const first = all[0]
    if (all.length > 1 || first === undefined) {
      return `${COUNT_WORDS[all.length] ?? all.length} ${plural(name)}`
    }
    const where = place(first)
    return `${article(name)} ${where === 'middle' ? 'in the middle' : `at the ${where}`}`
  })
  const last = parts.pop() ?? ''
  return `A picture with ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`
}

function article(name: string): string {
  if (name === 'skis' || name === 'scissors' || name === 'broccoli') return name
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}
