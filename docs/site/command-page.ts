import { COMMANDS } from '../../src/doors/cli/commands.ts'
import type { CommandSpec } from '../../src/doors/cli/command.ts'
import { GLOBAL } from '../../src/doors/cli/parse.ts'

/** Every command as a page of Markdown, from the table that the command line is made of. */
export function commandPage(): string {
  const global = GLOBAL.map(({ flags, about }) => `- \`${flags}\`: ${about}`).join('\n')
  return [
    '# Commands',
    'Exit codes: 0 done, 1 failed, 2 called wrongly, 3 nothing found that can be believed (`seek`).',
    `## Options of every command\n\n${global}`,
    ...COMMANDS.flatMap((spec) => sections(spec, 'pupil')),
  ].join('\n\n')
}

function sections(spec: CommandSpec, before: string): readonly string[] {
  const call = `${before} ${spec.name}`
  const words = (spec.arguments ?? []).map(({ name, optional, many }) =>
    many === true ? `[${name}...]` : optional === true ? `[${name}]` : `<${name}>`,
  )
  const rows = [...(spec.arguments ?? []).map(({ name, about }) => [name, about])]
  const options = (spec.options ?? []).map(({ flags, about }) => [flags, about])
  const list = [...rows, ...options].map(([name, about]) => `- \`${name}\`: ${about}`).join('\n')
  return [
    `## ${[call, ...words].join(' ')}`.replaceAll('<', '&lt;'),
    `${spec.about[0]?.toUpperCase()}${spec.about.slice(1)}.`,
    ...(list === '' ? [] : [list]),
    ...(spec.more === undefined ? [] : [spec.more]),
    `\`\`\`\n${spec.examples.join('\n')}\n\`\`\``,
    ...(spec.commands ?? []).flatMap((inner) => sections(inner, call)),
  ]
}
