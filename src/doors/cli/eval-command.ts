import type { CommandSpec } from './command.ts'
import { BENCH_COMMANDS } from './bench-commands.ts'

/** `pupil eval …`, as data. */
export const EVAL_COMMAND: CommandSpec = {
  name: 'eval',
  about: 'measure the whole system on tasks whose answers are known',
  examples: ['pupil eval world --profile starter --tasks vqa,tag --limit 60'],
  commands: [
    {
      name: 'world',
      about: 'run the frozen system on tasks of the picture world',
      options: [
        { flags: '--tasks <names>', about: 'vqa,pairs,edit,tag,knowledge (all)' },
        { flags: '--style <name>', about: 'drawing style (twemoji, the development style)' },
        { flags: '--split <name>', about: 'hinge on known or new concepts (both, apart)' },
        { flags: '--seeds <n>', about: 'draws of scenes, 1 to 9 (3)', kind: 'number' },
        {
          flags: '--limit <n>',
          about: 'tasks of each family and split over all draws (the sizes of the paper)',
          kind: 'number',
        },
        { flags: '--tools <which>', about: 'configured, or truth: what planning alone loses' },
        {
          flags: '--threads <n>',
          about: 'worker threads (2); 0 works in this one',
          kind: 'number',
        },
        { flags: '--no-baseline', about: 'leave out the baseline that never looks' },
        { flags: '--plot <file>', about: 'write the bars there (.svg)' },
      ],
      examples: [
        'pupil eval world --profile starter --tasks vqa,pairs,edit,tag,knowledge --seeds 3 --limit 100',
        'pupil eval world --profile starter --split new --json > report.json',
      ],
      load: () => import('./commands/eval-world.ts'),
    },
    ...BENCH_COMMANDS,
  ],
}
