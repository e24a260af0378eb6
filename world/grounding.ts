import { expected, UserFault } from '../src/base/index.ts'
import { streamOf } from './stream.ts'
import type { Style } from './types.ts'
import { DRAWING_PACKAGES } from './sprites/packages.ts'
import type { Library } from './tasks/library.ts'
import type { LvisScene } from './formats/lvis.ts'

export interface GroundingOptions {
  readonly n: number
  readonly seed?: number
  /** Training styles; default all of them that the library has. */
  readonly styles?: readonly Style[]
  readonly size?: number
}

/**
 * Scenes in training styles that hold a concept, known or new, with exact boxes and masks and five
 * concepts each that are surely absent: what LVIS is to the paper.
 *
 * @throws UserFault `E_STYLE` for a style that is for testing, `E_ARGUMENT` for an unknown concept
 * @source picture-world §7.2
 */
export function grounding(
  library: Library,
  concept: string,
  { n, seed = 0, styles, size = 256 }: GroundingOptions,
): readonly LvisScene[] {
  const { lexicon } = library
  const known = lexicon.concepts.get(concept) ?? lexicon.named(concept)
  if (known === undefined) throw expected('a concept of the world', 'concept', concept)
  const taught = trainingStyles(library, styles)
  const stream = streamOf(seed, `pictures/grounding-${known.id}`)
  const related = [...lexicon.related(known.id)].sort()
  return Array.from({ length: n }, (): LvisScene => {
    const count = stream.range(1, 2)
    const scene = library.scene({
      seed: stream.range(0, 999_999),
      size,
      styles: taught,
      objects: stream.range(3, 6),
      wanted: Array.from({ length: count }, () => known.id),
      tints: [],
      without: related,
      fresh: known.split === 'new' ? [known.id] : [],
    })
    return { ...scene, absent: absentFrom(library, scene, taught, stream) }
  }).filter(({ graph }) => graph.objects.some((one) => one.concept === known.id))
}

function trainingStyles(library: Library, styles: readonly Style[] | undefined): readonly Style[] {
  const train = DRAWING_PACKAGES.filter(({ role }) => role === 'train').map(({ style }) => style)
  const test = styles?.find((style) => !train.includes(style))
  if (test !== undefined) {
    throw new UserFault('E_STYLE', `The style ${test} is for testing, not for teaching.`, {
      fields: { style: test },
      cure: `Use one of ${train.join(', ')}.`,
    })
  }
  const drawn = new Set(library.sprites.map(({ style }) => style))
  return (styles ?? train).filter((style) => drawn.has(style))
}

/** Five known concepts that neither stand in the scene nor could be taken for what does. */
function absentFrom(
  { lexicon, conceptsOf }: Library,
  { graph }: LvisScene,
  styles: readonly Style[],
  stream: ReturnType<typeof streamOf>,
): readonly string[] {
  const shown = new Set(
    graph.objects.flatMap(({ concept }) => [concept, ...lexicon.related(concept)]),
  )
  return stream
    .shuffle(conceptsOf(styles, 'known'))
    .filter((id) => !shown.has(id))
    .slice(0, 5)
}
