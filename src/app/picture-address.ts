import { shown, UserFault } from '../base/index.ts'
import type { PictureBytes } from './skill-call.ts'
import type { Pupil } from './pupil.ts'

/** A picture that Pupil keeps, as other programs name it: `pupil://blob/<hash>`, or `/v1/blobs/<hash>` over HTTP. */
const KEPT = /^(?:pupil:\/\/blob\/|(?:https?:\/\/[^/?#]+)?\/v1\/blobs\/)([0-9a-f]{64})(?:\?[^#]*)?$/
const DATA = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?(;[^,]*)?,/i

/**
 * Fetches a picture from elsewhere, with every address checked and the size limited; given only where the
 * configuration allows it.
 */
export type FetchPicture = (address: string) => Promise<Uint8Array>

/** The address under which other programs may ask for a kept picture. */
export function blobAddress(hash: string): string {
  return `pupil://blob/${hash}`
}

/**
 * The picture that an address holds or names: `data:image/png;base64,…`, or one that Pupil keeps.
 *
 * Without `fetchPicture` nothing is fetched: an address elsewhere is refused, whoever wrote it.
 *
 * @param name  what errors call the picture
 * @throws UserFault `E_PICTURE_ADDRESS`, `E_BASE64`, `E_PICTURE_TOO_LARGE`, `E_NO_PICTURE`
 */
export async function pictureAt(
  address: string,
  name: string,
  pupil: Pick<Pupil, 'config' | 'pictures'>,
  fetchPicture?: FetchPicture,
): Promise<PictureBytes> {
  const hash = KEPT.exec(address)?.[1]
  if (hash !== undefined) return { bytes: (await pupil.pictures.file(hash)).bytes, name }
  if (fetchPicture !== undefined && /^https?:\/\//i.test(address)) {
    return { bytes: await fetchPicture(address), name }
  }
  const head = DATA.exec(address)
  if (head === null) throw notHere(address, name)
  const encoded = address.slice(head[0].length)
  if (!/;base64$/i.test(head[2] ?? '')) throw badBase64(name, 'it does not say ";base64"')
  return { bytes: base64Bytes(encoded, name, pupil.config.limits.bytes), name }
}

/**
 * Bytes of strict base64, of the plain or the URL alphabet; the size is checked before anything is decoded.
 *
 * @throws UserFault `E_BASE64`, `E_PICTURE_TOO_LARGE`
 */
export function base64Bytes(text: string, name: string, limit: number): Uint8Array {
  const size = Math.floor((text.length * 3) / 4)
  if (size > limit + 2) {
    throw new UserFault(
      'E_PICTURE_TOO_LARGE',
      `${name} has some ${(size / 2 ** 20).toFixed(1)} MiB; at most ${(limit / 2 ** 20).toFixed(1)} MiB are read.`,
      { fields: { name, bytes: size, limit }, cure: 'Send it smaller, or raise limits.bytes.' },
    )
  }
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) throw badBase64(name, 'it holds other characters')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0) throw badBase64(name, 'it is empty')
  // Buffer.from stops silently where base64 ends; the length tells.
  if (bytes.length !== Math.floor((text.replace(/=+$/, '').length * 3) / 4)) {
    throw badBase64(name, 'it is cut short')
  }
  return bytes
}

function badBase64(name: string, reason: string): UserFault {
  return new UserFault('E_BASE64', `${name} cannot be read as base64: ${reason}.`, {
    fields: { name, reason },
    cure: 'Send it as data:image/png;base64,…',
  })
}

function notHere(address: string, name: string): UserFault {
  const remote = /^[a-z][a-z0-9+.-]*:\/\//i.test(address)
  const short = address.length > 80 ? `${address.slice(0, 80)}…` : address
  return new UserFault(
    'E_PICTURE_ADDRESS',
    remote
      ? `${name} lies at ${short}; pictures elsewhere are not fetched.`
      : `Expected an address of a picture for ${name} but got ${shown(short)}.`,
    {
      fields: { name, address: short },
      cure: 'Send the picture itself as data:image/png;base64,…, or pupil://blob/… of one kept here.',
    },
  )
}
