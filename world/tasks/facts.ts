import { iou } from '../../src/image/index.ts'
import type { Lexicon } from '../lexicon.ts'
import { above, inFrontOf, leftOf } from '../truth.ts'
import type { Fact } from '../truth.ts'
import type { ColourWord, RelationName, Scene, SceneObject } from '../types.ts'

/** What is asked about: a concept, a class, or anything, perhaps of a colour. */
export interface Description {
  readonly concept?: string
  /** Label of a class. */
  readonly kind?: string
  readonly colour?: ColourWord
  /** One of several concepts. */
  readonly anyOf?: readonly string[]
}

/** Whether an object is what is described. */
export function fits(lexicon: Lexicon, object: SceneObject, what: Description): Fact {
  return allOf([nameFits(lexicon, object, what), colourFits(object, what.colour)])
}

function nameFits(lexicon: Lexicon, { concept }: SceneObject, what: Description): Fact {
  if (what.concept !== undefined) {
    if (concept === what.concept) return 'yes'
    return lexicon.related(what.concept).has(concept) ? 'unclear' : 'no'
  }
  if (what.anyOf !== undefined) {
    if (what.anyOf.includes(concept)) return 'yes'
    return what.anyOf.some((id) => lexicon.related(id).has(concept)) ? 'unclear' : 'no'
  }
  if (what.kind === undefined) return 'yes'
  const kind = lexicon.classNamed(what.kind)
  if (kind?.members.has(concept) === true) return 'yes'
  return kind === undefined || kind.disputed.has(concept) ? 'unclear' : 'no'
}

/** A colour is surely there from 70 % of the pixels, surely not below 10 %. */
export function colourFits(object: SceneObject, colour: ColourWord | undefined): Fact {
  if (colour === undefined || object.colour === colour) return 'yes'
  return (object.shares[colour] ?? 0) < 10 ? 'no' : 'unclear'
}

/** Whether A stands in that relation to B. */
export function relates(a: SceneObject, name: RelationName, b: SceneObject): Fact {
  switch (name) {
    case 'to the left of':
      return leftOf(a.box, b.box)
    case 'to the right of':
      return not(leftOf(a.box, b.box))
    case 'above':
      return above(a.box, b.box)
    case 'below':
      return not(above(a.box, b.box))
    case 'in front of':
      return inFrontOf(a, b)
    case 'behind':
      return inFrontOf(b, a)
    default:
      return name satisfies never
  }
}

/** Yes where all are, no where one is not. */
export function allOf(facts: readonly Fact[]): Fact {
  if (facts.includes('no')) return 'no'
  return facts.includes('unclear') ? 'unclear' : 'yes'
}

function not(fact: Fact): Fact {
  return fact === 'yes' ? 'no' : fact === 'no' ? 'yes' : 'unclear'
}

export interface Where {
  readonly relation: RelationName
  /** The object that it is seen from. */
  readonly anchor: SceneObject
}

/** The objects described (in a place), and whether any object is in doubt. */
export function find(
  lexicon: Lexicon,
  scene: Scene,
  what: Description,
  where?: Where,
): { readonly found: readonly SceneObject[]; readonly unclear: boolean } {
  const others = scene.objects.filter((one) => one !== where?.anchor)
  const facts = others.map((one) =>
    allOf([
      fits(lexicon, one, what),
      where === undefined ? 'yes' : relates(one, where.relation, where.anchor),
    ]),
  )
  const found = others.filter((_, i) => facts[i] === 'yes')
  return { found, unclear: facts.includes('unclear') }
}

/** How many there are, when every one is clear and no two cover each other so that one would do. */
export function countOf(
  lexicon: Lexicon,
  scene: Scene,
  what: Description,
  where?: Where,
): number | undefined {
  const { found, unclear } = find(lexicon, scene, what, where)
  const merged = found.some((a, i) => found.slice(i + 1).some((b) => iou(a.box, b.box) >= 0.45))
  return unclear || merged ? undefined : found.length
}

/** Whether there is one: yes as soon as one is clear, no when all are clearly not. */
export function existsIn(
  lexicon: Lexicon,
  scene: Scene,
  what: Description,
  where?: Where,
): 'yes' | 'no' | undefined {
  const { found, unclear } = find(lexicon, scene, what, where)
  return found.length > 0 ? 'yes' : unclear ? undefined : 'no'
}

/** The only one, or nothing when there is none, another, or a doubtful one. */
export function onlyOne(
  lexicon: Lexicon,
  scene: Scene,
  what: Description,
  where?: Where,
): SceneObject | undefined {
  const { found, unclear } = find(lexicon, scene, what, where)
  return found.length === 1 && !unclear ? found[0] : undefined
}
