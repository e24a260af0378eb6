import type { CommandSpec } from './command.ts'

const SEED = { flags: '--seed <n>', about: 'which of many (0)', kind: 'number' } as const

/** `pupil world …`, as data. */
export const WORLD_COMMANDS: CommandSpec = {
  name: 'world',
  about: 'the generated picture world: pictures with exact truth, and tasks about them',
  examples: ['pupil world scene --seed 7 -o scene.png', 'pupil world stats'],
  commands: [
    {
      name: 'scene',
      about: 'paint one scene; its truth as JSON with --json',
      options: [
        SEED,
        { flags: '--style <name>', about: 'drawing style (twemoji)' },
        { flags: '--objects <n>', about: 'objects wanted, 1 to 8 (5)', kind: 'number' },
        { flags: '--size <pixels>', about: 'width and height (256)', kind: 'number' },
        { flags: '--with <names>', about: 'concepts that must stand in it, with commas' },
        { flags: '-o, --out <file>', about: 'write the picture there (.png)' },
      ],
      examples: [
        'pupil world scene --seed 7 -o scene.png --json',
        'pupil world scene --with "owl,anchor" --objects 4 -o owl.png',
      ],
      load: () => import('./commands/world-scene.ts'),
    },
    {
      name: 'tasks',
      about: 'make tasks with exact answers and write them with their pictures',
      options: [
        { flags: '--family <name>', about: 'gqa, nlvr, imgedit, tagging, knowledge or dialogue' },
        { flags: '--split <name>', about: 'hinge on known or new concepts, or both' },
        { flags: '--count <n>', about: 'how many (20)', kind: 'number' },
        SEED,
        { flags: '--style <name>', about: 'drawing style (twemoji)' },
        { flags: '--format <name>', about: 'pupil, gqa, nlvr2, coco, lvis or llava' },
        { flags: '-o, --out <folder>', about: 'folder to write into' },
      ],
      examples: [
        'pupil world tasks --family gqa --split new --count 50 --format gqa -o tasks',
        'pupil world tasks --family nlvr --count 5',
      ],
      load: () => import('./commands/world-tasks.ts'),
    },
    {
      name: 'pictures',
      about: 'search the picture source that stands for the Internet',
      arguments: [{ name: 'words', about: 'what to look for' }],
      options: [
        { flags: '-n, --limit <count>', about: 'how many (7)', kind: 'number' },
        { flags: '--noise <share>', about: 'share of wrong results, 0 to 1 (0)', kind: 'share' },
        SEED,
        { flags: '-o, --out <folder>', about: 'folder to write into' },
      ],
      examples: ['pupil world pictures "owl" -n 7 --noise 0.3 -o owls'],
      load: () => import('./commands/world-pictures.ts'),
    },
    {
      name: 'stats',
      about: 'count concepts, drawings and classes; name licences and the sprite hash',
      examples: ['pupil world stats', 'pupil world stats --json'],
      load: () => import('./commands/world-stats.ts'),
    },
  ],
}
