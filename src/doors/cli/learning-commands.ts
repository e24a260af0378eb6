import type { CommandSpec, OptionSpec } from './command.ts'

const RUN = { name: 'run', about: 'its id, the beginning of it, or "last"' }
const LESSON = { name: 'lesson', about: 'its id, the beginning of it, or "last"' }
const INSIST: OptionSpec = { flags: '--insist', about: 'apply it whatever speaks against it' }

/** Commands for corrections and what is learnt from them. */
export const LEARNING_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'correct',
    about: 'say what was wrong in a run, and let it be learnt from',
    arguments: [RUN],
    options: [
      { flags: '--answer <text>', about: 'the right answer of the run, or of a step' },
      { flags: '--step <n>', about: 'the step that is meant', kind: 'number' },
      { flags: '--label <name>', about: 'what the step found, or the region shows' },
      { flags: '--box <boxes>', about: 'where it is: x1,y1,x2,y2; several joined by ";"' },
      { flags: '--region <box>', about: 'the part of the picture that is meant' },
      { flags: '--not-there', about: 'what was found is not there' },
      { flags: '--plan <text>', about: 'the right plan in words' },
      { flags: '--tool <name>', about: 'in a search: the tool to be chosen at that step' },
      { flags: '--program <file>', about: 'the right program, "-" for stdin' },
      {
        flags: '--why <reason>',
        about:
          'not-there, wrong-thing, wrong-place, misread-text, wrong-fact, bad-plan or bad-photo',
      },
      { flags: '--comment <text>', about: 'a sentence on what is wrong' },
      { flags: '--only-this', about: 'set this right and learn nothing' },
      { flags: '--preview', about: 'show what would be learnt, and change nothing' },
      { flags: '--teach', about: 'also tune the lesson now, where models take prompts, and wait' },
      INSIST,
    ],
    examples: [
      'pupil correct last --answer 2',
      'pupil correct last --step 1 --region 40,60,180,220 --label "espresso cup"',
      'pupil correct last --step 1 --region 300,20,360,90 --not-there',
      'pupil correct last --answer 2 --teach --profile starter',
      'pupil correct last --step 3 --tool image_search',
      'pupil correct run_8f2c --program right.txt --comment "count both kinds"',
    ],
    more: 'Of a search, a step is a call of a tool: --label names what it looked at, --tool another choice, --not-there marks the source, --answer the fact.\nThe correction is kept before anything else happens, and no later run changes it.',
    load: () => import('./commands/correct.ts'),
  },
  {
    name: 'lessons',
    about: 'list what was learnt',
    examples: ['pupil lessons', 'pupil lessons --json'],
    load: () => import('./commands/lessons.ts'),
  },
  {
    name: 'lesson',
    about: 'show a lesson, undo it, carry it elsewhere',
    examples: ['pupil lesson show last', 'pupil lesson undo last'],
    commands: [
      {
        name: 'show',
        about: 'what it brought and what it did',
        arguments: [LESSON],
        examples: ['pupil lesson show last', 'pupil lesson show last --json'],
        load: () => import('./commands/lesson-show.ts'),
      },
      {
        name: 'undo',
        about: 'take it out; everything is as it was before',
        arguments: [LESSON],
        examples: ['pupil lesson undo last'],
        load: () => import('./commands/lesson-undo.ts'),
      },
      {
        name: 'redo',
        about: 'put it in, also one that was kept out',
        arguments: [LESSON],
        examples: ['pupil lesson redo last'],
        load: () => import('./commands/lesson-redo.ts'),
      },
      {
        name: 'export',
        about: 'write it to a zip of JSON and pictures',
        arguments: [LESSON],
        options: [
          { flags: '-o, --out <file>', about: 'the file, "-" for stdout' },
          { flags: '--faces', about: 'also numbers of faces, which stay here otherwise' },
        ],
        examples: ['pupil lesson export last -o teapot.zip'],
        load: () => import('./commands/lesson-export.ts'),
      },
      {
        name: 'import',
        about: 'add one from a zip',
        arguments: [{ name: 'file', about: 'a file that "lesson export" wrote' }],
        examples: ['pupil lesson import teapot.zip'],
        load: () => import('./commands/lesson-import.ts'),
      },
    ],
  },
  {
    name: 'jobs',
    about: 'lessons whose prompts are tuned in the background',
    examples: ['pupil jobs ls', 'pupil jobs work'],
    more: 'While "pupil start" runs it works them off by itself, in processes of their own (learning.workers, learning.memory).',
    commands: [
      {
        name: 'ls',
        about: 'list them, newest first',
        examples: ['pupil jobs ls', 'pupil jobs ls --json'],
        load: () => import('./commands/jobs-ls.ts'),
      },
      {
        name: 'work',
        about: 'work off what waits, in worker processes, and end',
        examples: ['pupil jobs work --profile starter'],
        load: () => import('./commands/jobs-work.ts'),
      },
      {
        name: 'cancel',
        about: 'leave a lesson to its examples',
        arguments: [{ name: 'job', about: 'its id' }],
        examples: ['pupil jobs cancel job_8f2c'],
        load: () => import('./commands/jobs-cancel.ts'),
      },
    ],
  },
  {
    name: 'teach',
    about: 'teach a tool a concept from pictures, three or more where you can',
    arguments: [
      { name: 'tool', about: 'LOC, SELECT, CLASSIFY or VQA' },
      { name: 'concept', about: 'its name' },
      { name: 'pictures...', about: 'pictures that show it and little else' },
    ],
    options: [{ flags: '--not', about: 'the pictures show what it is not' }, INSIST],
    examples: [
      'pupil teach LOC "pretzel" a.jpg b.jpg c.jpg',
      'pupil teach LOC pretzel roll.jpg --not',
    ],
    load: () => import('./commands/teach.ts'),
  },
  {
    name: 'forget',
    about: 'delete everything that was taught about a concept, for good',
    arguments: [{ name: 'concept', about: 'its name' }],
    examples: ['pupil forget pretzel'],
    load: () => import('./commands/forget.ts'),
  },
  {
    name: 'people',
    about: 'recognise people you showed; off until you turn it on',
    examples: ['pupil people enable', 'pupil people name Anna anna.jpg'],
    commands: [
      {
        name: 'ls',
        about: 'list them',
        examples: ['pupil people ls'],
        load: () => import('./commands/people-ls.ts'),
      },
      {
        name: 'enable',
        about: 'turn it on for this space',
        examples: ['pupil people enable'],
        load: () => import('./commands/people-enable.ts'),
      },
      {
        name: 'disable',
        about: 'turn it off; what was learnt stays',
        examples: ['pupil people disable'],
        load: () => import('./commands/people-disable.ts'),
      },
      {
        name: 'name',
        about: 'show whose face is in a picture',
        arguments: [
          { name: 'name', about: 'of the person' },
          { name: 'picture', about: 'a picture with that face' },
        ],
        options: [{ flags: '--not', about: 'the face is not that person' }],
        examples: ['pupil people name Anna anna.jpg', 'pupil people name Anna eva.jpg --not'],
        load: () => import('./commands/people-name.ts'),
      },
      {
        name: 'forget',
        about: 'delete a person with everything that is known of their face',
        arguments: [{ name: 'name', about: 'of the person' }],
        examples: ['pupil people forget Anna'],
        load: () => import('./commands/people-forget.ts'),
      },
    ],
  },
]
