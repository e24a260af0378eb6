import ipaddr from 'ipaddr.js'

/**
 * Whether an address is one of the public internet: no loopback, private, link-local, unique-local,
 * multicast, unspecified, translated or tunnelled address, nor a mapped form of one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv6') {
    const six = parsed as ipaddr.IPv6
    if (six.isIPv4MappedAddress()) return six.toIPv4Address().range() === 'unicast'
  }
  return parsed.range() === 'unicast'
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
