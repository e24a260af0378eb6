import type { CommandSpec } from './command.ts'

/** `pupil token …`, as data. */
export const TOKEN_COMMAND: CommandSpec = {
  name: 'token',
  about: 'who may call "pupil start --token", and in which space',
  examples: ['pupil token create phone', 'pupil token create ann --space ann'],
  more: 'A token works in the space it was made in; those of one space share its runs and lessons.',
  commands: [
    {
      name: 'create',
      about: 'make a token and print it, this once',
      arguments: [{ name: 'name', about: 'whose it is, such as "phone"' }],
      options: [
        {
          flags: '--scopes <list>',
          about: 'what it may do: read, run, learn, joined by commas (all)',
        },
        {
          flags: '--budget <limits>',
          about: 'what it may spend a day (UTC), such as calls=100,money=0.50',
        },
      ],
      examples: [
        'pupil token create phone',
        'pupil token create viewer --scopes read',
        'pupil token create ann --space ann --budget calls=100,money=0.50',
      ],
      load: () => import('./commands/token-create.ts'),
    },
    {
      name: 'list',
      about: 'list the tokens of this space, with what they spent today',
      examples: ['pupil token list', 'pupil token list --space ann --json'],
      load: () => import('./commands/token-list.ts'),
    },
    {
      name: 'revoke',
      about: 'take a token back; it is refused from then on',
      arguments: [{ name: 'id', about: 'its id, or the beginning of it' }],
      examples: ['pupil token revoke token_8f2c'],
      load: () => import('./commands/token-revoke.ts'),
    },
  ],
}
