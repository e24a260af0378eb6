/**
 * The starter models as tools of the seeking agent over scenes of the picture world: detector, answerer and
 * captioner look at the painted picture, and picture search finds drawings of other styles by the starter encoder.
 * The same call is made once, so that systems which are compared see the same replies.
 */
import { join } from 'node:path'
import { openWorld } from '../src/app/world-desk.ts'
import {
  openPictureIndex,
  pictureIndexSource,
  starterBackends,
  visionSources,
} from '../src/tools/index.ts'
import type { SourceArgs, SourceOutput, SourceProvider } from '../src/tools/index.ts'

/** Cosine from which drawings count as alike; 0.2 and 0.35 gave the same on 80 other questions, 0.6 found little. */
const LIKE_FROM = 0.35
/** Drawings of each concept in the index, none of them in the style of the questions. */
const DRAWINGS = 2

export interface StarterTools {
  readonly providers: readonly SourceProvider[]
  close(): Promise<void>
}

export async function starterTools({
  cache,
  likeFrom = LIKE_FROM,
}: {
  readonly cache: string
  readonly likeFrom?: number
}): Promise<StarterTools> {
  const starter = starterBackends()
  const world = await openWorld({ cache })
  const index = await openPictureIndex(await world.named(DRAWINGS), {
    file: join(cache, 'bench-seek-starter.json'),
    encoder: starter.features,
  })
  const encoder = starter.features
  const search = pictureIndexSource({
    ...{ id: 'drawings', encoder, likeFrom, index: async () => index },
  })
  const looking = visionSources(starter.backends).filter(({ tool }) => tool !== 'ocr')
  return {
    providers: [...looking, search].map(once),
    close: () => starter.close(),
  }
}

/** Asks the same of the same picture once; a failure is not kept. */
function once(source: SourceProvider): SourceProvider {
  const known = new Map<string, SourceOutput>()
  return {
    ...source,
    call: async (args, options) => {
      const key = keyOf(args)
      const before = known.get(key)
      if (before !== undefined) return before
      const output = await source.call(args, options)
      known.set(key, output)
      return output
    },
  }
}

const keyOf = ({ picture, region, q }: SourceArgs): string =>
  JSON.stringify([picture?.hash, region, q])
