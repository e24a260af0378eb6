/** What a generated question wants to know; the answer is written accordingly. */
export type Wanted = 'count' | 'where' | 'exists' | 'found' | 'caption' | 'tags' | 'texts' | 'done'

/** A kind of dialogue: the skill it exercises, its arguments and ways to ask for it. */
export interface QuestionKind {
  readonly skill: string
  readonly wants: Wanted
  /** `one`: a category of the picture; `absent`: one that is not there; `two`: two of the picture. */
  readonly about: 'one' | 'two' | 'absent' | 'none'
  /** Name of the argument that holds what is asked about. */
  readonly param?: 'caption' | 'object' | 'prompt'
  /** `[x]`, `[xs]` one and many; `[y]` the second. */
  readonly asked: readonly string[]
}

/**
 * Wordings of generated questions, ours. They are rewritten at random where a language model is given.
 *
 * @source llava-plus §7.3, step 2
 */
export const QUESTION_KINDS: readonly QuestionKind[] = [
  {
    ...{ skill: 'grounding_dino', wants: 'count', about: 'one', param: 'caption' },
    asked: [
      'How many [xs] are there in the picture?',
      'Could you count the [xs]?',
      'What is the number of [xs] here?',
    ],
  },
  {
    ...{ skill: 'grounding_dino', wants: 'where', about: 'one', param: 'caption' },
    asked: ['Where is the [x]?', 'Tell me where I can see the [x].', 'Give me the box of the [x].'],
  },
  {
    ...{ skill: 'grounding_dino', wants: 'found', about: 'two', param: 'caption' },
    asked: ['Find the [xs] and the [ys].', 'Please detect the [x] and the [y].'],
  },
  {
    ...{ skill: 'grounding_dino', wants: 'exists', about: 'one', param: 'caption' },
    asked: ['Is there a [x] in this photo?', 'Can you see any [xs]?'],
  },
  {
    ...{ skill: 'grounding_dino', wants: 'exists', about: 'absent', param: 'caption' },
    asked: ['Is there a [x] in this photo?', 'Are there any [xs]?', 'Do you see a [x] somewhere?'],
  },
  {
    ...{ skill: 'grounded_sam', wants: 'found', about: 'one', param: 'caption' },
    asked: ['Segment the [xs].', 'Cut out the [x] for me.', 'I need masks of the [xs].'],
  },
  {
    ...{ skill: 'blip2', wants: 'caption', about: 'none' },
    asked: ['Describe the picture.', 'What does this photo show?', 'Write a short caption.'],
  },
  {
    ...{ skill: 'ram', wants: 'tags', about: 'none' },
    asked: ['Which things are in the picture?', 'Tag this photo.', 'List what you see.'],
  },
  {
    ...{ skill: 'ram+grounding_dino', wants: 'tags', about: 'none' },
    asked: ['List all objects with their boxes.', 'Detect everything in this photo.'],
  },
  {
    ...{ skill: 'blip2+grounding_dino', wants: 'caption', about: 'none' },
    asked: ['Describe the picture and show where the things are.'],
  },
  {
    ...{ skill: 'ocr', wants: 'texts', about: 'none' },
    asked: ['What text is in the picture?', 'Read the text for me.'],
  },
  {
    ...{ skill: 'inpainting', wants: 'done', about: 'one', param: 'prompt' },
    asked: ['Fill the region that I marked with a [x].'],
  },
  {
    ...{ skill: 'ip2p', wants: 'done', about: 'one', param: 'prompt' },
    asked: ['Edit the photo so that there is another [x].'],
  },
  {
    ...{ skill: 'sd', wants: 'done', about: 'one', param: 'prompt' },
    asked: ['Make a new picture of a [x].', 'Generate an image of a [x].'],
  },
]
