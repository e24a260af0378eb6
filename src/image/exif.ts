/** What a camera wrote beside the pixels. */
export interface ExifFacts {
  readonly make?: string
  readonly model?: string
  /** ISO 8601, without a zone: cameras write local time. */
  readonly takenAt?: string
  readonly width?: number
  readonly height?: number
  /** Only when asked for. */
  readonly place?: { readonly latitude: number; readonly longitude: number }
}

/**
 * The camera's notes of a picture file; empty when there are none or they cannot be read.
 *
 * @param options.gps  the place where it was taken is read only with true
 */
export async function readExif(
  bytes: Uint8Array,
  options: { readonly gps?: boolean } = {},
): Promise<ExifFacts> {
  const { default: exifr } = await import('exifr')
  const gps = options.gps === true
  const read = exifr.parse(bytes, { gps, xmp: false, icc: false, iptc: false, reviveValues: false })
  // Notes are a courtesy: a file whose notes are damaged is still a picture.
  const tags = (await read.catch(() => undefined)) as Record<string, unknown> | undefined
  return tags === undefined ? {} : facts(tags, gps)
}

function facts(tags: Record<string, unknown>, gps: boolean): ExifFacts {
  const text = (key: string): string | undefined =>
    typeof tags[key] === 'string' ? tags[key].replaceAll('\0', '').trim() : undefined
  const number = (key: string): number | undefined =>
    typeof tags[key] === 'number' && Number.isFinite(tags[key]) ? tags[key] : undefined
  const taken = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text('DateTimeOriginal') ?? '')
  const found = {
    make: text('Make'),
    model: text('Model'),
    takenAt: taken === null ? undefined : `${taken[1]}-${taken[2]}-${taken[3]}T${taken[4]}`,
    width: number('ExifImageWidth'),
    height: number('ExifImageHeight'),
    place: gps ? place(number('latitude'), number('longitude')) : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function place(latitude?: number, longitude?: number): ExifFacts['place'] {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}
