import { kindName } from './kind.ts'
import type { ArgSpec, Signature } from './signature.ts'

/** One line about a tool for models and people: `LOC(image: image, object: text) -> objects: Finds …` */
export function describeSignature(signature: Signature): string {
  return `${signatureLine(signature)}: ${signature.about}`
}

/** A tool's name, arguments and result: `LIST(query: text, max: integer = 20) -> list of text`. */
export function signatureLine(signature: Signature): string {
  const args = signature.args.map(describeArg).join(', ')
  return `${signature.name}(${args}) -> ${kindName(signature.out)}`
}

const TYPES: Readonly<Partial<Record<ArgSpec['type'], string>>> = {
  texts: 'text or list of texts',
  emoji: 'emoji name',
}

function describeArg(arg: ArgSpec): string {
  const type = `${arg.name}: ${TYPES[arg.type] ?? arg.type}`
  if (arg.default === undefined) return type
  return `${type} = ${arg.default === null ? 'None' : String(arg.default)}`
}
