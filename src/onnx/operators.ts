import type { AttributeType } from './attribute.ts'
import { operatorTable } from './operator-table.ts'

/** What an operator takes and gives in one version. */
export interface OperatorForm {
  readonly inputs: readonly [least: number, most: number]
  readonly outputs: readonly [least: number, most: number]
  readonly attributes: ReadonlyMap<
    string,
    { readonly type: AttributeType; readonly required: boolean }
  >
}

interface Version {
  readonly since: number
  /** Undefined where the operator was withdrawn. */
  readonly form: OperatorForm | undefined
}

const parsed = new Map<string, readonly Version[]>()

/** The form of an operator of ONNX at an opset; undefined when there is none of that name then. */
export function operatorForm(op: string, opset: number): OperatorForm | undefined {
  return versionsOf(op)?.findLast(({ since }) => since <= opset)?.form
}

/** True when ONNX has or had an operator of that name. */
export function isOperator(op: string): boolean {
  return Object.hasOwn(operatorTable, op)
}

/** The versions above `from` and up to `to` in which an operator changed in any way. */
export function changesBetween(op: string, from: number, to: number): number[] {
  return (versionsOf(op) ?? [])
    .map(({ since }) => since)
    .filter((since) => since > from && since <= to)
}

function versionsOf(op: string): readonly Version[] | undefined {
  if (!isOperator(op)) return undefined
  const known = parsed.get(op)
  if (known !== undefined) return known
  const versions = operatorTable[op as keyof typeof operatorTable].split(' | ').flatMap(parseForm)
  parsed.set(op, versions)
  return versions
}

function parseForm(text: string): Version[] {
  const [versions = '', inputs = '', outputs = '', ...attributes] = text.split(' ')
  const form: OperatorForm | undefined =
    inputs === 'gone'
      ? undefined
      : {
          inputs: parseRange(inputs),
          outputs: parseRange(outputs),
          attributes: new Map(
            attributes.map((attribute) => {
              const [name = '', type = ''] = attribute.split(':')
              const required = name.endsWith('!')
              const plain = required ? name.slice(0, -1) : name
              return [plain, { type: type as AttributeType, required }] as const
            }),
          ),
        }
  return versions.split(',').map((since) => ({ since: Number(since), form }))
}

function parseRange(text: string): readonly [number, number] {
  const [least = '0', most = least] = text.split('-')
  return [Number(least), most === '*' ? Infinity : Number(most)]
}
