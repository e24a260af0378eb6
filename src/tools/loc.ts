import { byScore, halfBox, isSide, pixelBox, suppress } from '../image/index.ts'
import type { Box, Image, Side } from '../image/index.ts'
import type { Notice, ToolResult } from '../program/index.ts'
import { imageArg, makeObject, textArg } from './args.ts'
import type { Backends, Detector, Finding, UnknownWord } from './backends.ts'
import { normaliseName, withoutArticle } from './names.ts'
import type { ToolSettings } from './settings.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool, ToolContext } from './tool.ts'
import { noBackend, unknownWord } from './unavailable.ts'

/** LOC: the objects of a name, best first (program-language §8). */
export function loc(backends: Backends, settings: ToolSettings): Tool {
  return {
    signature: signatureOf('LOC'),
    run: async (args, context) => {
      const image = imageArg(args)
      const query = withoutArticle(textArg(args, 'object'))
      const side = sideWord(query, context)
      if (side !== undefined && side === query) return half(side, query, image, context, [])
      return find(query, side, image, { backends, settings, context })
    },
  }
}

/** The side a query names in any letter case; `tagging` has no side words. */
function sideWord(query: string, context: ToolContext): Side | undefined {
  const capitals = query.toUpperCase()
  return context.family !== 'tagging' && isSide(capitals) ? capitals : undefined
}

function half(
  side: Side,
  query: string,
  image: Image,
  context: ToolContext,
  notices: readonly Notice[],
): ToolResult {
  const object = makeObject(
    { box: halfBox(side, image), category: query, score: 1 },
    image,
    context,
  )
  return { value: [object], notices, concepts: [] }
}

interface Search {
  readonly backends: Backends
  readonly settings: ToolSettings
  readonly context: ToolContext
}

async function find(
  query: string,
  side: Side | undefined,
  image: Image,
  { backends, settings, context }: Search,
): Promise<ToolResult> {
  const unknown: UnknownWord[] = []
  for (const detector of backends.detectors) {
    const detection = await detector.detect(image, query, { signal: context.signal })
    if (!detection.known) {
      unknown.push(detection)
      continue
    }
    const kept = keptFindings(detection.findings, detector, settings.locOverlap)
    const value = kept.flatMap((one) => {
      const box = pixelBox(one.box, image)
      if (box === undefined) return []
      const label = one.name === query ? {} : { label: one.name }
      return [makeObject({ box, category: query, score: one.score, ...label }, image, context)]
    })
    if (value.length === 0 && side !== undefined) break
    return {
      value,
      notices: detection.notices,
      concepts: [normaliseName(query)],
      ...(detection.uses === undefined ? {} : { prompts: detection.uses }),
      models: detector.models(),
    }
  }
  if (side !== undefined) return half(side, query, image, context, [sideNotice(query)])
  throw unknown.length > 0 ? unknownWord('LOC', unknown) : noBackend('LOC', 'find objects')
}

/** Above the threshold in 32-bit floats, best first, without those that overlap a better one. */
export function keptFindings(
  findings: readonly Finding[],
  detector: Pick<Detector, 'threshold'>,
  maxOverlap: number,
): readonly Finding[] {
  const least = Math.fround(detector.threshold)
  const above = findings.filter((one) => Math.fround(one.score) > least).toSorted(byScore)
  return suppress<Finding & { readonly box: Box }>(above, { maxOverlap })
}

function sideNotice(query: string): Notice {
  return {
    code: 'N_SIDE_WORD',
    message: `Nothing called "${query}" was found, so it was read as that half of the picture.`,
  }
}
