import { convertBox, cropImage, pixelBox } from '../../image/index.ts'
import type { Box, Image } from '../../image/index.ts'
import type { Backends, Finding } from '../backends.ts'
import { LOCAL_SOURCE, sourceFault } from './provider.ts'
import type { SourceArgs, SourceProvider } from './provider.ts'

/**
 * The tools that look, as sources of the seeking agent: only those with a back end.
 *
 * @param options.elsewhere  names of back ends that send the picture to a service
 */
export function visionSources(
  backends: Backends,
  options: { readonly elsewhere?: ReadonlySet<string> } = {},
): readonly SourceProvider[] {
  const all = [captions, answers, detection, reading].flatMap((sources) => sources(backends))
  return all.map(({ name, source }) =>
    options.elsewhere?.has(name) === true
      ? { ...source, needsNetwork: true, sends: 'image', mayStore: true }
      : source,
  )
}

interface Named {
  /** Of the back end. */
  readonly name: string
  readonly source: SourceProvider
}

function region({ picture, region }: SourceArgs): Image {
  if (picture === undefined) throw sourceFault('vision', 'config', 'there is no picture')
  return region === undefined ? picture : cropImage(picture, region)
}

/** A box of a crop, in pixels of the picture as given. */
function inPicture(box: Box, crop: Image, picture: Image): Box | undefined {
  const moved = crop.frame === picture.frame ? box : convertBox(box, crop.frame, picture.frame)
  return pixelBox(moved, picture)
}

function captions({ captioners }: Backends): readonly Named[] {
  return captioners.slice(0, 1).map((one) => ({
    name: one.name,
    source: {
      ...{ ...LOCAL_SOURCE, id: `caption/${one.name}`, tool: 'caption', licence: '' },
      call: async (args, { signal }) => {
        const { text, score } = await one.caption(region(args), { signal })
        return { text, ...(score === null ? {} : { score }) }
      },
    },
  }))
}

function answers({ answerers }: Backends): readonly Named[] {
  return answerers.map((one) => ({ name: one.name, source: answering(one) }))
}

function answering(one: Backends['answerers'][number]): SourceProvider {
  return {
    ...{ ...LOCAL_SOURCE, id: `vqa/${one.name}`, tool: 'vqa', licence: '' },
    call: async (args, { signal }) => {
      const answer = await one.answer(region(args), args.q ?? 'What is this?', { signal })
      switch (answer.outcome) {
        case 'answered':
          return { text: answer.answer, ...(answer.score === null ? {} : { score: answer.score }) }
        case 'unknown':
          // Looked, and does not know: nothing came back, which code calls uninformative.
          return { text: '' }
        case 'unavailable':
          throw sourceFault(one.name, 'config', answer.reason, { cure: answer.would })
        default:
          return answer satisfies never
      }
    },
  }
}

/** Everything that the first detector knows; open-vocabulary ones have no such list. */
function detection({ detectors }: Backends): readonly Named[] {
  return detectors.flatMap((one): Named[] => {
    const detectAll = one.detectAll?.bind(one)
    if (detectAll === undefined) return []
    return [
      {
        name: one.name,
        source: {
          ...{ ...LOCAL_SOURCE, id: `detect/${one.name}`, tool: 'detect', licence: '' },
          call: async (args, { signal }) => {
            const crop = region(args)
            const picture = args.picture ?? crop
            const found = (await detectAll(crop, { signal }))
              .filter(({ score }) => score > one.threshold)
              .toSorted((a: Finding, b: Finding) => b.score - a.score)
            const boxes = found.flatMap(({ box, name, score }, i) => {
              const placed = inPicture(box, crop, picture)
              return placed === undefined
                ? []
                : [{ id: `b${i + 1}`, label: name, score, box: placed }]
            })
            return { boxes }
          },
        },
      },
    ]
  })
}

function reading({ reader }: Backends): readonly Named[] {
  if (reader === undefined) return []
  return [
    {
      name: reader.name,
      source: {
        ...{ ...LOCAL_SOURCE, id: `ocr/${reader.name}`, tool: 'ocr', licence: '' },
        call: async (args, { signal }) => {
          const crop = region(args)
          const lines = await reader.read(crop, { signal })
          return {
            lines: lines.map(({ text, score, box }) => {
              const placed = inPicture(box, crop, args.picture ?? crop)
              return { text, conf: score, ...(placed === undefined ? {} : { box: placed }) }
            }),
          }
        },
      },
    },
  ]
}
