import { UserFault } from '../../base/index.ts'

/** `--k` and `--p` of a graph that is made from decisions. @throws UserFault `E_USAGE` */
export function readEdgeOptions(options: Readonly<Record<string, unknown>>): {
  readonly k?: number
  readonly p?: number
} {
  const { k, p: share } = options
  const p = typeof share === 'string' ? Number(share) : undefined
  if (p !== undefined && !(p >= 0 && p <= 1)) {
    throw new UserFault(
      'E_USAGE',
      `Expected a share from 0 to 1 for --p but got "${String(share)}".`,
      {
        fields: { p: share },
      },
    )
  }
  return { ...(typeof k === 'number' ? { k } : {}), ...(p === undefined ? {} : { p }) }
}
