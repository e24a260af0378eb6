import type { ArgSpec, Signature } from '../program/index.ts'
import { EMOJI_ALIASES } from './emoji-aliases.ts'
import { EMOJI_NAMES } from './emoji-names.ts'

const image = (about = 'the picture'): ArgSpec => ({ name: 'image', type: 'image', about })
const objects = (about: string, name = 'object'): ArgSpec => ({ name, type: 'objects', about })

/** A crop beside the first box: they differ in name, side and family only. */
function crop(name: string, about: string): Signature {
  return {
    name,
    args: [image('the picture to cut'), objects('boxes; the first (best) one counts', 'box')],
    out: 'image',
    families: ['gqa'],
    about,
  }
}

const finding: readonly Signature[] = [
  {
    name: 'LOC',
    args: [
      image(),
      {
        name: 'object',
        type: 'text',
        about:
          'what to find, such as "dog"; TOP, BOTTOM, LEFT or RIGHT give that half of the picture',
      },
    ],
    out: 'objects',
    families: ['gqa', 'tagging'],
    about:
      'Finds all objects of a name and gives their boxes, best first; none found gives an empty list.',
    learnable: true,
  },
  {
    name: 'COUNT',
    args: [{ name: 'box', type: 'list', about: 'any list, such as the boxes of LOC' }],
    out: 'number',
    families: ['gqa'],
    about: 'Counts the items of a list.',
  },
  {
    name: 'FACEDET',
    args: [image()],
    out: 'objects',
    families: ['imgedit', 'tagging'],
    about: 'Finds all faces.',
  },
  {
    name: 'SEG',
    args: [image()],
    out: 'objects',
    families: ['imgedit'],
    about: 'Cuts the picture into objects, each with a mask and a name, largest first.',
    learnable: true,
  },
  {
    name: 'SELECT',
    args: [
      image(),
      objects('the objects to choose from'),
      { name: 'query', type: 'texts', about: 'what to choose; several names are split at commas' },
      {
        name: 'category',
        type: 'texts',
        default: null,
        about: 'names that an object must have to be considered',
      },
    ],
    out: 'objects',
    families: ['imgedit'],
    about:
      'Chooses from objects those that match a name or description, in the order of the query.',
    learnable: true,
  },
  {
    name: 'CLASSIFY',
    args: [
      image(),
      objects('the objects to name'),
      { name: 'categories', type: 'texts', about: 'the possible names, split at commas' },
    ],
    out: 'objects',
    families: ['tagging'],
    about: 'Gives each object the best of the names; of each name only its best object is kept.',
    learnable: true,
  },
  {
    name: 'OCR',
    args: [image()],
    out: 'objects',
    families: ['open'],
    about: 'Reads text in the picture: an object for each line, its label is the text.',
  },
]

const cropping: readonly Signature[] = [
  crop('CROP', 'Cuts out the first box.'),
  crop('CROP_LEFTOF', 'Cuts out what lies left of the first box.'),
  crop('CROP_RIGHTOF', 'Cuts out what lies right of the first box.'),
  crop('CROP_ABOVE', 'Cuts out what lies above the first box.'),
  crop('CROP_BELOW', 'Cuts out what lies below the first box.'),
  crop(
    'CROP_FRONTOF',
    'Cuts out what lies in front of the first box: its own place in the picture.',
  ),
  crop('CROP_INFRONT', 'The same as CROP_FRONTOF.'),
  crop('CROP_INFRONTOF', 'The same as CROP_FRONTOF.'),
  crop('CROP_AHEAD', 'The same as CROP_FRONTOF.'),
  crop('CROP_BEHIND', 'Cuts out what lies behind the first box: its own place in the picture.'),
]

const answering: readonly Signature[] = [
  {
    name: 'VQA',
    args: [image(), { name: 'question', type: 'text', about: 'a question about the picture' }],
    out: 'text',
    families: ['gqa', 'nlvr'],
    about: 'Answers a question about a picture in a few words.',
    learnable: true,
  },
  {
    name: 'CAPTION',
    args: [image()],
    out: 'text',
    families: ['open'],
    about: 'Describes the picture in a sentence.',
  },
  {
    name: 'LIST',
    args: [
      { name: 'query', type: 'text', about: 'what to list, such as "kinds of birds"' },
      { name: 'max', type: 'integer', default: 20, min: 1, max: 100, about: 'items at most' },
    ],
    out: { list: 'text' },
    families: ['tagging'],
    about: 'Lists names from general knowledge.',
  },
  {
    name: 'EVAL',
    args: [{ name: 'expr', type: 'expression', about: 'an expression over variables in braces' }],
    out: 'scalar',
    families: ['gqa', 'nlvr'],
    about: "Computes an expression, such as \"'yes' if {ANSWER0} > 0 else 'no'\".",
  },
  {
    name: 'RESULT',
    args: [{ name: 'var', type: 'variable', about: 'the variable that is the answer' }],
    out: 'any',
    families: ['gqa', 'nlvr', 'imgedit', 'tagging'],
    about: 'Gives the answer; always the last step.',
  },
]

const editing: readonly Signature[] = [
  {
    name: 'COLORPOP',
    args: [image(), objects('what keeps its colours')],
    out: 'image',
    families: ['imgedit'],
    about: 'Turns everything but the objects grey.',
  },
  {
    name: 'BGBLUR',
    args: [image(), objects('what stays sharp')],
    out: 'image',
    families: ['imgedit'],
    about: 'Blurs everything but the objects.',
  },
  {
    name: 'REPLACE',
    args: [
      image(),
      objects('what is replaced'),
      {
        name: 'prompt',
        type: 'text',
        about: 'what comes in its place, such as "a daisy"; "background" removes it',
      },
      {
        name: 'picture',
        type: 'image',
        default: null,
        about: 'a picture that is put in its place',
      },
    ],
    out: 'image',
    families: ['imgedit'],
    about: 'Replaces the objects by something else, inside their outlines only.',
    learnable: true,
  },
  {
    name: 'EMOJI',
    args: [
      image(),
      objects('what is covered'),
      {
        name: 'emoji',
        type: 'emoji',
        values: [...EMOJI_NAMES, ...Object.keys(EMOJI_ALIASES)],
        about: 'name of an emoji, such as smiling_face',
      },
    ],
    out: 'image',
    families: ['imgedit'],
    about: 'Puts an emoji on every object.',
  },
  {
    name: 'TAG',
    args: [image(), objects('what is tagged')],
    out: 'image',
    families: ['tagging'],
    about: 'Draws a box and the name of every object; the picture carries the objects.',
  },
]

/**
 * The tools that ship with Pupil, as the language sees them.
 *
 * @source program-language §8; OCR and CAPTION are ours, for the family `open`. REPLACE has one
 *   argument more than the paper's, `picture`, so that a given picture can be put in the place.
 */
export const SIGNATURES: readonly Signature[] = [...finding, ...cropping, ...answering, ...editing]
