/**
 * Tools of the picture world that err at a stated rate: what a closed-vocabulary detector and answerer, and an
 * index of pictures by features, would say of a scene. The same picture, object and tool always err alike.
 */
import { seededRandom } from '../src/base/index.ts'
import type { Random } from '../src/base/index.ts'
import type { Box, Image } from '../src/image/index.ts'
import type { FoundEntry, SourceArgs, SourceProvider, SourceTool } from '../src/tools/index.ts'
import type { Lexicon, Scene, SceneObject } from '../world/index.ts'
import { onlyOne } from '../world/tasks/facts.ts'
import { readPhrase } from '../world/tasks/phrase.ts'

/** How often the tools are right. What is not right is a concept of the same group, or nothing. */
export interface Rates {
  /** Objects that the detector finds at all. */
  readonly found: number
  /** Labels of the detector, and names of the answerer for a crop, that are right: known concepts only. */
  readonly label: number
  readonly name: number
  /** Answers about the whole picture, where the answerer must first find the thing. */
  readonly whole: number
  /** How often the answerer says that it does not know a new concept, instead of naming a known one. */
  readonly unsure: number
  /** Each of the five nearest pictures of the index: known and new concepts alike. */
  readonly neighbour: number
}

export const RATES: Rates = {
  ...{ found: 0.97, label: 0.85, name: 0.8, whole: 0.55, unsure: 0.3, neighbour: 0.7 },
}

interface World {
  readonly lexicon: Lexicon
  readonly scene: Scene
  readonly rates: Rates
  /** Concepts that models were trained on. */
  readonly known: readonly string[]
  readonly all: readonly string[]
  random(about: string): Random
}

const LOCAL: Omit<SourceProvider, 'id' | 'tool' | 'call'> = {
  ...{ version: '1', needsNetwork: false, needsKey: false, needsPublicUrl: false, sends: 'none' },
  ...{ price: 0, licence: '', mayStore: true, timeoutMs: 30_000, probe: async () => null },
}

/** Caption, questions, detection and picture search over one scene. */
export function worldTools(
  lexicon: Lexicon,
  scene: Scene,
  { seed, rates = RATES }: { readonly seed: string; readonly rates?: Rates },
): readonly SourceProvider[] {
  const all = [...lexicon.concepts.keys()]
  const known = all.filter((id) => lexicon.concept(id).split === 'known')
  const world: World = {
    ...{ lexicon, scene, rates, known, all },
    random: (about) => seededRandom(`${seed}/${about}`),
  }
  const source = (tool: SourceTool, call: SourceProvider['call']): SourceProvider => ({
    ...LOCAL,
    ...{ id: `world/${tool}`, tool, call },
  })
  return [
    source('detect', async () => ({ boxes: detect(world) })),
    source('caption', async () => ({ text: caption(world), score: 0.5 })),
    source('vqa', async (args) => ({ text: answer(world, args) })),
    source('image_search', async (args) => ({ entries: similar(world, args) })),
  ]
}

function label(world: World, id: string): string {
  return world.lexicon.concept(id).label
}

/** A concept that this one could be taken for, of those a tool knows. */
function takenFor(
  { lexicon }: World,
  id: string,
  among: readonly string[],
  random: Random,
): string {
  const { group } = lexicon.concept(id)
  const [wide] = group.split('-')
  const others = among.filter((one) => one !== id)
  const near = others.filter((one) => lexicon.concept(one).group === group)
  const nearby = others.filter((one) => lexicon.concept(one).group.split('-')[0] === wide)
  const pool = near.length > 0 ? near : nearby.length > 0 ? nearby : others
  return pool[random.below(pool.length)] ?? id
}

function detect(world: World) {
  const { scene, rates } = world
  return scene.objects.flatMap((one, i) => {
    const random = world.random(`detect ${one.id}`)
    if (random.next() > rates.found) return []
    const isKnown = world.lexicon.concept(one.concept).split === 'known'
    const right = random.next() < rates.label && isKnown
    const named = right ? one.concept : takenFor(world, one.concept, world.known, random)
    const score = right ? 0.6 + 0.38 * random.next() : 0.32 + 0.45 * random.next()
    return [{ id: `b${i + 1}`, label: label(world, named), score, box: one.box }]
  })
}

function caption(world: World): string {
  const names = world.scene.objects.map((one) =>
    nameOf(world, one, world.rates.whole + 0.2, 'caption'),
  )
  return `a picture of ${names.map((name) => `a ${name ?? 'thing'}`).join(' and ')}`
}

/** The name that a closed-vocabulary model gives; undefined when it says that it does not know. */
function nameOf(world: World, one: SceneObject, rate: number, how: string): string | undefined {
  const random = world.random(`${how} ${one.id}`)
  const isKnown = world.lexicon.concept(one.concept).split === 'known'
  if (!isKnown && random.next() < world.rates.unsure) return undefined
  if (isKnown && random.next() < rate) return label(world, one.concept)
  return label(world, takenFor(world, one.concept, world.known, random))
}

function shownIn({ scene }: World, region: Box | undefined): SceneObject | undefined {
  if (region === undefined) return undefined
  const share = ({ box }: SceneObject): number => {
    const width = Math.min(box[2], region[2]) - Math.max(box[0], region[0])
    const height = Math.min(box[3], region[3]) - Math.max(box[1], region[1])
    const common = Math.max(0, width) * Math.max(0, height)
    const area = (b: Box): number => (b[2] - b[0]) * (b[3] - b[1])
    return common / (area(box) + area(region) - common)
  }
  return scene.objects.toSorted((a, b) => share(b) - share(a))[0]
}

/** "Which thing is left of the tent?", "Which thing is this?", "Which thing is the second one?" */
function answer(world: World, { q = '', region }: SourceArgs): string {
  const crop = shownIn(world, region)
  if (crop !== undefined) return nameOf(world, crop, world.rates.name, 'vqa') ?? ''
  const { scene, lexicon } = world
  const placed = /^which (?:thing|object) is (.+?)\?*$/i.exec(q)?.[1] ?? ''
  const where = readPhrase(lexicon, `thing ${placed}`)?.where
  const anchor = where === undefined ? undefined : onlyOne(lexicon, scene, where.anchor)
  const byPlace =
    where === undefined || anchor === undefined
      ? undefined
      : onlyOne(lexicon, scene, {}, { relation: where.relation, anchor })
  const across = scene.objects.toSorted((a, b) => a.box[0] - b.box[0])
  const largest = scene.objects.toSorted((a, b) => b.area - a.area)[0]
  const one =
    byPlace ??
    (/the first one/.test(q) ? across[0] : /the second one/.test(q) ? across[1] : undefined) ??
    (/^which (?:thing|object) is this/i.test(q) ? largest : undefined)
  return one === undefined ? '' : (nameOf(world, one, world.rates.whole, `vqa ${q}`) ?? '')
}

/** The five nearest pictures of an index that holds every concept; of the whole picture, of anything in it. */
function similar(world: World, { region }: SourceArgs): readonly FoundEntry[] {
  const crop = shownIn(world, region)
  const random = world.random(`similar ${crop?.id ?? 'whole'}`)
  return Array.from({ length: 5 }, (_, i) => {
    const one = crop ?? world.scene.objects[random.below(world.scene.objects.length)]
    if (one === undefined) return []
    const right = random.next() < world.rates.neighbour
    const id = right ? one.concept : takenFor(world, one.concept, world.all, random)
    const entity = { title: label(world, id), qid: `wordnet:${world.lexicon.synset(id).id}` }
    return [{ kind: 'similar' as const, ...entity, score: 0.9 - 0.05 * i }]
  }).flat()
}

/** The picture of a scene for the agent: its size counts, and its own hash. */
export type ScenePicture = Pick<Image, 'hash' | 'width' | 'height'>
