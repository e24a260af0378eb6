import type { Abortable } from '../base/index.ts'
import type { Box, Image, ObjectRecord } from '../image/index.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { isImage, isList, isObject } from './kind.ts'
import type { CallStep } from './step.ts'
import type { Value } from './value.ts'

export interface ThumbnailRequest extends Abortable {
  /** Longest side in pixels; pictures are never enlarged. */
  readonly side: number
  /** Drawn on it. */
  readonly objects?: readonly ObjectRecord[]
  /** `best`: the first red, the others blue; `chosen`: all green, masks outlined. */
  readonly style?: { readonly pens: 'best' | 'chosen'; readonly labels: 'none' }
  /** The part that a crop took, in the picture's pixels. */
  readonly region?: Box
}

/** Draws a small picture and gives it as a `data:image/…` address; `image` has one. */
export type Thumbnail = (image: Image, request: ThumbnailRequest) => Promise<string>

/** What figures are drawn with. */
export interface FigureTools extends Abortable {
  readonly thumbnail: Thumbnail
  /** A picture in which the objects of this frame can be shown. */
  readonly pictureOf: (object: ObjectRecord) => Image | undefined
}

const INPUT_SIDE = 100
const RESULT_SIDE = 300
const GRID_MOST = 12
const BOXES_MOST = 60

/** A picture with its alternative text; `alt` says what a person would see. */
export async function picture(
  tools: FigureTools,
  image: Image,
  alt: string,
  request: Partial<ThumbnailRequest> = {},
): Promise<Html> {
  const side = request.side ?? RESULT_SIDE
  const address = await tools.thumbnail(image, { ...request, side, signal: tools.signal })
  if (!/^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]*$/i.test(address)) {
    throw new TypeError('a thumbnail must be a data:image address')
  }
  return html`<img src="${address}" alt="${alt}" style="max-width:min(${side}px,100%)" />`
}

/** The small pictures of a step's arguments, or of the run's inputs. */
export function inputPicture(tools: FigureTools, image: Image, name: string): Promise<Html> {
  return picture(tools, image, `${name}, ${sizeOf(image)}`, { side: INPUT_SIDE })
}

/** What a step's result looks like; undefined when it is no picture and lies in none. */
export async function resultFigure(tools: FigureTools, step: CallStep): Promise<Html | undefined> {
  const { result, tool } = step
  if (result === undefined) return undefined
  const image = step.args.map((arg) => arg.value).find(isImage)
  if (isImage(result)) {
    return isCrop(tool) && image !== undefined
      ? cropFigure(tools, image, result)
      : picture(tools, result, `${step.output}, ${sizeOf(result)}`)
  }
  const objects = tool === 'COUNT' ? objectsIn(step.args[0]?.value) : objectsIn(result)
  const first = objects[0]
  if (first === undefined) return undefined
  const ground = tool === 'COUNT' ? tools.pictureOf(first) : (image ?? tools.pictureOf(first))
  if (ground === undefined) return undefined
  const grid = tool === 'SEG' || tool === 'SELECT' || tool === 'CLASSIFY'
  return grid ? objectGrid(tools, ground, objects) : boxFigure(tools, ground, objects)
}

function isCrop(tool: string): boolean {
  return tool === 'CROP' || tool.startsWith('CROP_')
}

/** The region on the parent, and what was cut out. */
async function cropFigure(tools: FigureTools, parent: Image, crop: Image): Promise<Html> {
  const [from, to] = [parent.frame, crop.frame]
  const x = Math.round(to.x - from.x)
  const y = Math.round(to.y - from.y)
  const region: Box = [x, y, x + crop.width, y + crop.height]
  const where = `region ${region.join(', ')} of the picture`
  const same = from.original === to.original && from.id !== to.id
  const shown = same
    ? [await picture(tools, parent, where, { region }), await picture(tools, crop, sizeOf(crop))]
    : [await picture(tools, crop, sizeOf(crop))]
  return html`<div class="pair">${shown}</div>`
}

async function boxFigure(
  tools: FigureTools,
  image: Image,
  objects: readonly ObjectRecord[],
): Promise<Html> {
  const shown = objects.slice(0, BOXES_MOST)
  const alt = `picture with ${shown.length} boxes: ${shown.map(objectWords).join('; ')}`
  const style = { pens: 'best', labels: 'none' } as const
  const drawn = await picture(tools, image, alt, { objects: shown, style })
  const words = shown.slice(0, 5).map(objectWords)
  const more = objects.length > words.length ? `, and ${objects.length - words.length} more` : ''
  return html`<figure>
    ${drawn}
    <figcaption>${words.join(', ')}${more}</figcaption>
  </figure>`
}

async function objectGrid(
  tools: FigureTools,
  image: Image,
  objects: readonly ObjectRecord[],
): Promise<Html> {
  const style = { pens: 'chosen', labels: 'none' } as const
  const cells = await Promise.all(
    objects.slice(0, GRID_MOST).map(async (object) => {
      const alt = `${objectWords(object)} at ${object.box.join(', ')}`
      const drawn = await picture(tools, image, alt, { objects: [object], style })
      return html`<figure>
        ${drawn}
        <figcaption>${objectWords(object)}</figcaption>
      </figure>`
    }),
  )
  const rest = objects.length - cells.length
  return html`<div class="grid">${cells}</div>
    ${rest > 0 && html`<p class="quiet">and ${rest} more</p>`}`
}

/** Name and score of an object: what CLASSIFY gave, else its category. */
export function objectWords(object: ObjectRecord): string {
  if (object.class !== undefined) {
    return object.classScore === undefined ? object.class : `${object.class} ${object.classScore}`
  }
  return object.score === null ? object.category : `${object.category} ${object.score.toFixed(2)}`
}

function objectsIn(value: Value | undefined): readonly ObjectRecord[] {
  if (value === undefined) return []
  return isList(value) ? value.filter(isObject) : isObject(value) ? [value] : []
}

export function sizeOf(image: Image): string {
  return `${image.width} x ${image.height}`
}
