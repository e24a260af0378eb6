import type { CommandSpec, OptionSpec } from './command.ts'

const EDGES: readonly OptionSpec[] = [
  { flags: '--k <n>', about: 'accepted choices that an edge needs (2)', kind: 'number' },
  { flags: '--p <share>', about: "share of its state's accepted choices that it needs (0.02)" },
]

/** `pupil study`, as data. */
export const STUDY_COMMAND: CommandSpec = {
  name: 'study',
  about: 'answer questions with the tools of "pupil seek" yourself, and learn from how you did it',
  examples: [
    'pupil study answer cat.jpg "What family does this animal belong to?"',
    'pupil study score',
  ],
  commands: [
    {
      name: 'answer',
      about: 'decide each step and read each result; both are recorded',
      arguments: [
        { name: 'picture', about: 'a picture file' },
        { name: 'question', about: 'what is to be found out' },
      ],
      options: [
        { flags: '--max-steps <n>', about: 'most tool calls (12)', kind: 'number' },
        { flags: '--offline', about: 'use nothing outside this machine' },
        {
          flags: '--private',
          about:
            'let the question leave as a hash, no query or quote; the first words of results stay',
        },
      ],
      examples: ['pupil study answer tower.jpg "How tall is this tower?" --offline'],
      more: 'What you decide is kept in the data folder. "pupil seek" follows decisions like it from then on.',
      load: () => import('./commands/study-answer.ts'),
    },
    {
      name: 'graph',
      about: 'the transition graph that your decisions make, with its counts',
      options: [
        ...EDGES,
        { flags: '-o, --out <file>', about: 'write it as JSON for "pupil seek --graph"' },
      ],
      examples: ['pupil study graph', 'pupil study graph --k 3 -o graph.json'],
      load: () => import('./commands/study-graph.ts'),
    },
    {
      name: 'score',
      about: 'how well graph and examples foretell decisions that were held out',
      options: EDGES,
      examples: ['pupil study score', 'pupil study score --json'],
      load: () => import('./commands/study-score.ts'),
    },
    {
      name: 'export',
      about: 'the decisions as JSON lines; private ones as hashes',
      examples: ['pupil study export > decisions.jsonl'],
      load: () => import('./commands/study-export.ts'),
    },
    {
      name: 'import',
      about: 'add decisions of JSON lines',
      arguments: [
        {
          name: 'file',
          about: 'what "pupil study export" wrote, or "-" for stdin',
          optional: true,
        },
      ],
      options: [{ flags: '--world', about: 'the decisions for the picture world that ship' }],
      examples: ['pupil study import decisions.jsonl', 'pupil study import --world'],
      load: () => import('./commands/study-import.ts'),
    },
    {
      name: 'forget',
      about: 'delete the decisions of a run or about a picture',
      arguments: [{ name: 'of', about: 'id of a run, or sha256:… of a picture' }],
      examples: ['pupil study forget run_8f2c'],
      load: () => import('./commands/study-forget.ts'),
    },
  ],
}
