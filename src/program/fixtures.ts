import type { Box, Image, ObjectRecord } from '../image/index.ts'
import type { ArgSpec, ArgType, Signature } from './signature.ts'

const arg = (name: string, type: ArgType, more: Partial<ArgSpec> = {}): ArgSpec => ({
  name,
  type,
  about: `the ${name}`,
  ...more,
})

const tool = (
  name: string,
  args: readonly ArgSpec[],
  out: Signature['out'],
  families: readonly string[] = [],
): Signature => ({ name, args, out, families, about: `What ${name} does.` })

const image = arg('image', 'image')
const object = arg('object', 'objects')
const crops = '_LEFTOF _RIGHTOF _ABOVE _BELOW _FRONTOF _INFRONT _INFRONTOF _AHEAD _BEHIND'.split(
  ' ',
)

/** The tools of program-language §8 as signatures, for tests of this room and of those that need no tools. */
export const FIXTURE_SIGNATURES: readonly Signature[] = [
  tool('LOC', [image, arg('object', 'text')], 'objects'),
  tool('COUNT', [arg('box', 'list')], 'number'),
  ...['', ...crops].map((side) => tool(`CROP${side}`, [image, arg('box', 'objects')], 'image')),
  tool('VQA', [image, arg('question', 'text')], 'text'),
  tool('EVAL', [arg('expr', 'expression')], 'scalar'),
  tool('RESULT', [arg('var', 'variable')], 'any'),
  tool('FACEDET', [image], 'objects'),
  tool('SEG', [image], 'objects'),
  tool(
    'SELECT',
    [image, object, arg('query', 'texts'), arg('category', 'texts', { default: null })],
    'objects',
  ),
  tool('CLASSIFY', [image, object, arg('categories', 'texts')], 'objects'),
  tool('COLORPOP', [image, object], 'image'),
  tool('BGBLUR', [image, object], 'image'),
  tool('REPLACE', [image, object, arg('prompt', 'text')], 'image'),
  tool(
    'EMOJI',
    [
      image,
      object,
      arg('emoji', 'emoji', { values: ['smiling_face', 'winking_face', ';)', '8)'] }),
    ],
    'image',
  ),
  tool('LIST', [arg('query', 'text'), arg('max', 'integer', { default: 20, min: 1, max: 100 })], {
    list: 'text',
  }),
  tool('TAG', [image, object], 'image'),
]

/** A tree without what parsing adds about places, so that trees of different texts can be compared. */
export function withoutPositions(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutPositions)
  if (tree === null || typeof tree !== 'object') return tree
  const places = new Set(['at', 'map', 'start', 'diagnostics'])
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([key]) => !places.has(key))
      .map(([key, value]) => [key, withoutPositions(value)]),
  )
}

/** A picture of one grey, whose pixels nobody looks at. */
export function fixtureImage(id: string, width = 100, height = 80): Image {
  const scale = Object.freeze([1, 1] as const)
  const frame = Object.freeze({ id, original: id, x: 0, y: 0, width, height, scale })
  const data = new Uint8Array(0)
  return Object.freeze({ type: 'image', width, height, data, frame, hash: `hash-of-${id}` })
}

/** An object of a picture. */
export function fixtureObject(id: string, image: Image, box: Box = [0, 0, 10, 10]): ObjectRecord {
  const { frame } = image
  return Object.freeze({ type: 'object', id, box, category: 'dog', score: 0.9, mask: null, frame })
}
