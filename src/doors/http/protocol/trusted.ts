import ipaddr from 'ipaddr.js'

/**
 * Whether a worker may register from where the request comes: loopback, or a configured network. Requests
 * without a socket (tests, in-process calls) come from here.
 */
export function mayRegister(env: unknown, networks: readonly string[]): boolean {
  const from = remoteAddress(env)
  if (from === undefined) return true
  if (!ipaddr.isValid(from)) return false
  const address = ipaddr.process(from)
  if (address.range() === 'loopback') return true
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === address.kind() && address.match([base, bits])
  })
}

function remoteAddress(env: unknown): string | undefined {
  const incoming = (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)
    ?.incoming
  return incoming?.socket?.remoteAddress
}
