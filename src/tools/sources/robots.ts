/**
 * Whether rules for robots let an agent fetch a path: the group of its name, else that of `*`; the longest
 * rule that fits decides, allowing before forbidding.
 *
 * @source RFC 9309
 */
export function robotsAllow(rules: string, agent: string, path: string): boolean {
  const groups = readGroups(rules)
  const named = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()))
  const chosen = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))
  const fitting = chosen
    .flatMap(({ rules }) => rules)
    .filter(({ pattern }) => pattern !== '' && matches(pattern, path))
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))
  return fitting[0]?.allow ?? true
}

interface Group {
  readonly agents: string[]
  readonly rules: { readonly allow: boolean; readonly pattern: string }[]
}

function readGroups(text: string): readonly Group[] {
  const groups: Group[] = []
  let open = false
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const field = name.toLowerCase()
    const last = groups.at(-1)
    if (field === 'user-agent') {
      if (open && last !== undefined) last.agents.push(value.trim().toLowerCase())
      else groups.push({ agents: [value.trim().toLowerCase()], rules: [] })
      open = true
    } else if (field === 'allow' || field === 'disallow') {
      last?.rules.push({ allow: field === 'allow', pattern: value.trim() })
      open = false
    }
  }
  return groups
}

/** `*` stands for anything, `$` at the end for the end. */
function matches(pattern: string, path: string): boolean {
  const ends = pattern.endsWith('$')
  const parts = (ends ? pattern.slice(0, -1) : pattern).split('*')
  let at = 0
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (path.startsWith(part) ? 0 : -1) : path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !ends || at === path.length || (parts.length > 1 && path.endsWith(parts.at(-1) ?? ''))
}
