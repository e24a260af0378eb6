import type { CommandSpec } from './command.ts'

/** `pupil serve`, as data. */
export const SERVE_COMMAND: CommandSpec = {
  name: 'serve',
  about: 'be controller, tool workers and model worker of the LLaVA-Plus serving protocol',
  options: [
    { flags: '--host <address>', about: 'address of this machine to listen on (127.0.0.1)' },
    { flags: '-p, --port <port>', about: 'port (21001, as the reference has it)', kind: 'number' },
    { flags: '--role <name>', about: 'all, controller (no worker here) or workers (all)' },
    {
      ...{ flags: '--network <cidr>', kind: 'list' },
      about: 'network from which workers may register, beside this machine; may be repeated',
    },
    {
      ...{ flags: '--dispatch <method>' },
      about: 'shortest_queue or lottery (shortest_queue)',
    },
    {
      ...{ flags: '--register <address>' },
      about: 'a controller elsewhere with which our workers are kept registered',
    },
    { flags: '--address <address>', about: 'how that controller reaches this server' },
  ],
  examples: [
    'pupil serve',
    'pupil serve --role controller --network 10.0.0.0/8 --host 0.0.0.0',
    'pupil serve --port 21010 --register http://10.0.0.2:21001 --host 0.0.0.0 --address http://10.0.0.7:21010',
  ],
  more: 'The protocol has no passwords: workers register from this machine or from networks that you name.',
  load: () => import('./commands/serve.ts'),
}
