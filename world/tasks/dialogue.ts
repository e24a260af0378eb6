import { countable, nouns } from './asking.ts'
import { makeTurn } from './dialogue-turns.ts'
import { TURN_WORDINGS } from './dialogue-wordings.ts'
import type { TurnKind } from './dialogue-wordings.ts'
import { countOf } from './facts.ts'
import { ProgramText } from './program-text.ts'
import type { Desk, QuestionType } from './question.ts'
import type { DialogueTurn } from './task.ts'

/** What may follow, in the order of the papers' skills. */
const LATER: readonly TurnKind[] = [
  ...(['semantic', 'point', 'box', 'tag', 'caption', 'caption-ground', 'tag-ground'] as const),
  ...(['retrieve', 'edit', 'inpaint', 'knowledge', 'absent', 'other'] as const),
]

/** A dialogue that begins by finding a thing and goes on over the same picture. */
function beginning(kind: 'detect' | 'segment'): QuestionType {
  return {
    family: 'dialogue',
    type: kind,
    form: `dialogue/${kind}`,
    wordings: TURN_WORDINGS[kind],
    ask: (desk) => {
      const { lexicon, stream } = desk
      const first = desk.subject(countable(lexicon))
      const second = first && desk.other([first], countable(lexicon))
      const absent = first && second && sibling(desk, [first, second])
      const put = absent && desk.other([first, second, absent], countable(lexicon))
      if (!first || !second || !absent || !put) return undefined
      const later = stream.shuffle(LATER).slice(0, stream.range(0, 3))
      const program = new ProgramText()
      return {
        slots: nouns(lexicon, first),
        hops: 1 + later.length,
        about: [first],
        answers: ['1', '2', '3', '4'],
        program: program.result(program.count(lexicon.concept(first).label)),
        stage: (answer) => [
          {
            wanted: [...Array.from({ length: Number(answer) }, () => first), second],
            without: [first, second, absent, ...lexicon.related(absent)],
            objects: 6,
          },
        ],
        solve: ([scene]) => {
          const count = scene && countOf(lexicon, scene, { concept: first })
          const others = scene && countOf(lexicon, scene, { concept: second })
          if (scene === undefined || count === undefined || others !== 1) return undefined
          const found = (id: string): { caption: string; similarity: number }[] => {
            const { label, article } = lexicon.concept(id)
            const caption = article === '' ? label : `${article} ${label}`
            return [{ caption: `a picture of ${caption}`, similarity: 1 }]
          }
          const context = { lexicon, stream, scene, first, second, absent, put, found }
          // What the scene does not fit (an edit of one of three) is left out.
          const turns = [kind, ...later].flatMap((one): DialogueTurn[] => {
            const turn = makeTurn(one, context)
            return turn === undefined ? [] : [turn]
          })
          return { answer: String(count), dialogue: turns }
        },
      }
    },
  }
}

/** A thing of the same group that is not there: a hard negative; any other where there is none. */
function sibling(desk: Desk, beside: readonly string[]): string | undefined {
  const group = desk.lexicon.concept(beside[0] ?? '').group
  const alike = (id: string): boolean =>
    desk.lexicon.concept(id).group === group && countable(desk.lexicon)(id)
  return desk.other(beside, alike) ?? desk.other(beside, countable(desk.lexicon))
}

/** Dialogues of one to four turns with exact results and abstentions. @source picture-world §5.6 */
export const DIALOGUE_TYPES: readonly QuestionType[] = [beginning('detect'), beginning('segment')]
