import { cropImage } from '../../src/image/index.ts'
import type { Image } from '../../src/image/index.ts'
import { starterBackends } from '../../src/tools/index.ts'
import { namesStrictly } from '../../world/index.ts'
import type { Scene } from '../../world/index.ts'
import { devConcepts, devScenes, shares } from './floor.ts'
import type { Measured, Measuring } from './floor.ts'

interface Asked {
  readonly image: Image
  readonly question: string
  readonly right: (answer: string) => boolean
}

/** Single-step questions, as programs put them, to the model alone and to the tool; and new concepts. */
export async function vqaFloors(measuring: Measuring): Promise<readonly Measured[]> {
  const alone = starterBackends({ models: measuring.starter.models, measure: false })
  const model = await answered({ ...measuring, starter: alone })
  const tool = await answered(measuring)
  return [
    { ...model.all, figure: 'single-step questions, the model alone', floor: 0.75 },
    { ...tool.all, figure: 'single-step questions, VQA as it answers (measured where it can)' },
    ...model.kinds.map((one) => ({ ...one, figure: `the model alone: ${one.figure}` })),
    ...tool.kinds.map((one) => ({ ...one, figure: `VQA: ${one.figure}` })),
    { ...model.naming, ceiling: 0.05 },
  ]
}

interface Answered {
  readonly all: Measured
  readonly kinds: readonly Measured[]
  readonly naming: Measured
}

async function answered(measuring: Measuring): Promise<Answered> {
  const { seeds } = measuring
  const fresh = devConcepts(measuring, 'new')
  const kinds = new Map<string, boolean[]>()
  const rows: boolean[][] = []
  const naming: boolean[][] = []
  for (const seed of seeds) {
    const right: boolean[] = []
    let n = 0
    for (const { image, graph } of devScenes(measuring, seed)) {
      for (const [kind, asked] of questions(measuring, image, graph, n++)) {
        const good = asked.right(await answer(measuring, asked))
        right.push(good)
        kinds.set(kind, [...(kinds.get(kind) ?? []), good])
      }
    }
    rows.push(right)
    const names: boolean[] = []
    for (const { image, graph } of devScenes(measuring, seed, fresh)) {
      const one = graph.objects.find(({ concept }) => fresh.includes(concept))
      if (one === undefined) continue
      const said = await answer(measuring, {
        ...{ image: cropImage(image, one.box), question: 'What is this?', right: () => true },
      })
      names.push(namesStrictly(measuring.library.lexicon, one.concept, said))
    }
    naming.push(names)
  }
  return {
    all: { model: 'vqa', figure: '', ...shares(rows) },
    kinds: [...kinds].map(([figure, all]): Measured => ({
      ...{ model: 'vqa', figure, ...shares([all]) },
    })),
    naming: { model: 'vqa', figure: 'naming new concepts (room to learn)', ...shares(naming) },
  }
}

async function answer({ starter }: Measuring, { image, question }: Asked): Promise<string> {
  const said = await starter.backends.answerers[0]?.answer(image, question)
  return said?.outcome === 'answered' ? said.answer.toLowerCase() : ''
}

/** One question of each kind that the scene allows. */
function* questions(
  measuring: Measuring,
  image: Image,
  { objects }: Scene,
  n: number,
): Generator<readonly [kind: string, asked: Asked]> {
  const { lexicon } = measuring.library
  const single = objects.filter(
    ({ concept }) => objects.filter((one) => one.concept === concept).length === 1,
  )
  const label = (id: string): string => lexicon.concept(id).label
  const named = objects[n % objects.length]
  if (named !== undefined) {
    const right = (said: string): boolean => namesStrictly(lexicon, named.concept, said)
    yield ['name', { image: cropImage(image, named.box), question: 'What is this?', right }]
  }
  const coloured = objects.find(({ colour }) => colour !== null)
  if (coloured !== undefined) {
    const question = `What color is the ${label(coloured.concept)}?`
    const right = (said: string): boolean => said === coloured.colour
    yield ['colour', { image: cropImage(image, coloured.box), question, right }]
  }
  const sized = single.find(({ size }) => size !== null)
  if (sized !== undefined) {
    const question = `What size is the ${label(sized.concept)}?`
    yield ['size', { image, question, right: (said) => said === sized.size }]
  }
  const known = devConcepts(measuring, 'known')
  const absent = known[(n * 31) % known.length] as string
  // In turn: what stands there most often, and what is not there, so that no answer is nearly always right.
  const times = (id: string): number => objects.filter(({ concept }) => concept === id).length
  const most = objects.toSorted((a, b) => times(b.concept) - times(a.concept))[0]
  const counted = n % 2 === 0 ? (most?.concept ?? absent) : absent
  const howMany = `How many ${lexicon.concept(counted).plural} are there?`
  yield ['count', { image, question: howMany, right: (said) => said === String(times(counted)) }]
  const there = n % 2 === 0 && named !== undefined
  const id = there ? named.concept : absent
  const yes = objects.some(({ concept }) => concept === id)
  const { article } = lexicon.concept(id)
  const question = `Is there ${article} ${label(id)} in the picture?`.replace('  ', ' ')
  yield ['exist', { image, question, right: (said) => said === (yes ? 'yes' : 'no') }]
}
