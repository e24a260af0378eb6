import { Bug } from '../base/index.ts'
import type { Signature } from '../program/index.ts'
import { SIGNATURES } from './signatures.ts'

/** The signature of a standard tool. */
export function signatureOf(name: string): Signature {
  const found = SIGNATURES.find((signature) => signature.name === name)
  if (found === undefined) throw new Bug('E_SIGNATURE', `No signature is stated for ${name}.`)
  return found
}
