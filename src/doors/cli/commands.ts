import type { CommandSpec, OptionSpec } from './command.ts'
import { LEARNING_COMMANDS } from './learning-commands.ts'
import { SEEK_COMMAND } from './seek-command.ts'
import { DIALOGUES_COMMAND } from './dialogues-command.ts'
import { STUDY_COMMAND } from './study-command.ts'
import { CHAT_COMMAND } from './chat-command.ts'
import { ONNX_COMMANDS } from './onnx-commands.ts'
import { EVAL_COMMAND } from './eval-command.ts'
import { TOKEN_COMMAND } from './token-command.ts'
import { SERVE_COMMAND } from './serve-command.ts'
import { COMPLETION_COMMAND } from './completion-command.ts'
import { WATCH_COMMAND } from './watch-command.ts'
import { WORLD_COMMANDS } from './world-commands.ts'

const TRACE: OptionSpec = { flags: '--trace', about: 'print the program and every step to stderr' }
const HTML: OptionSpec = {
  flags: '--html <file>',
  about: 'write the run as one self-contained HTML file',
}
const BUDGET: OptionSpec = {
  flags: '--budget <limits>',
  about: 'limits such as calls=10,tokens=20000,seconds=30,money=0.05',
}
const SEED: OptionSpec = {
  flags: '--seed <n>',
  about: 'start of the random numbers',
  kind: 'number',
}
const RUN_OPTIONS = [TRACE, HTML, BUDGET, SEED]
const OUT: OptionSpec = {
  flags: '-o, --out <file>',
  about: 'write the picture there (.png, .jpg, .webp; "-" for stdout)',
}
const FAMILY: OptionSpec = {
  flags: '--family <name>',
  about: 'task family: gqa, nlvr, imgedit, tagging or open',
}

const PICTURE = { name: 'picture', about: 'a picture file, or "-" for stdin' }
const INSTRUCTION = { name: 'instruction', about: 'what you want, in your words; "-" for stdin' }
const PROGRAM_FILE = { name: 'file', about: 'a file with the program, or "-" for stdin' }

/** Every command of `pupil`, as data. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'ask',
    about: 'answer a question about a picture',
    arguments: [PICTURE, INSTRUCTION],
    options: RUN_OPTIONS,
    examples: [
      'pupil ask street.jpg "How many people are there?"',
      'pupil ask street.jpg "Is there a dog to the left of the car?" --trace',
      'cat street.jpg | pupil ask - "What colour is the bus?" --json',
    ],
    load: () => import('./commands/ask.ts'),
  },
  {
    name: 'compare',
    about: 'tell whether a statement about two pictures is true',
    arguments: [
      { name: 'left', about: 'the left picture' },
      { name: 'right', about: 'the right picture' },
      { name: 'statement', about: 'what is said of them; "-" for stdin' },
    ],
    options: RUN_OPTIONS,
    examples: [
      'pupil compare a.jpg b.jpg "There are more people in the left picture than in the right one"',
      'pupil compare a.jpg b.jpg "Both pictures show a dog" --json',
    ],
    load: () => import('./commands/compare.ts'),
  },
  {
    name: 'edit',
    about: 'change a picture',
    arguments: [PICTURE, INSTRUCTION],
    options: [OUT, ...RUN_OPTIONS],
    examples: [
      'pupil edit dog.jpg "Blur the background except the dog" -o out.png',
      'pupil edit street.jpg "Make everything grey but the red car"',
      'pupil edit group.jpg "Hide every face with a smiling emoji" -o - > hidden.png',
    ],
    more: 'Without -o the picture is written beside you as NAME.edited.png; nothing is overwritten.',
    load: () => import('./commands/edit.ts'),
  },
  {
    name: 'tag',
    about: 'find things and name them, with boxes',
    arguments: [PICTURE, INSTRUCTION],
    options: [OUT, ...RUN_OPTIONS],
    examples: [
      'pupil tag street.jpg "Tag every person"',
      'pupil tag street.jpg "Tag the cars and buses" -o tagged.png --json',
    ],
    load: () => import('./commands/tag.ts'),
  },
  SEEK_COMMAND,
  STUDY_COMMAND,
  CHAT_COMMAND,
  DIALOGUES_COMMAND,
  WATCH_COMMAND,
  {
    name: 'run',
    about: 'run a program that you wrote',
    arguments: [
      { name: 'picture', about: 'a picture; for the family nlvr give two, joined by a comma' },
      PROGRAM_FILE,
    ],
    options: [FAMILY, OUT, ...RUN_OPTIONS],
    examples: [
      'pupil run street.jpg program.txt --trace',
      'pupil run left.jpg,right.jpg program.txt --family nlvr',
      'echo "A=SEG(image=IMAGE); B=COUNT(box=A); R=RESULT(var=B)" | pupil run street.jpg -',
    ],
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'program',
    about: 'work on programs without running them',
    examples: ['pupil program check program.txt --family gqa', 'pupil program print program.txt'],
    commands: [
      {
        name: 'check',
        about: 'report every error and warning in a program',
        arguments: [PROGRAM_FILE],
        options: [FAMILY],
        examples: [
          'pupil program check program.txt --family gqa',
          'pupil program check program.txt --family nlvr --json',
        ],
        load: () => import('./commands/program-check.ts'),
      },
      {
        name: 'print',
        about: 'print a program in its canonical form',
        arguments: [PROGRAM_FILE],
        examples: ['pupil program print program.txt', 'cat program.txt | pupil program print -'],
        load: () => import('./commands/program-print.ts'),
      },
      {
        name: 'eval',
        about: 'work out one EVAL expression',
        arguments: [{ name: 'expression', about: 'the expression' }],
        dashes: true,
        options: [{ flags: '--state <json>', about: 'variables as a JSON object (or a file)' }],
        examples: [
          `pupil program eval "'yes' if {A} > 2 else 'no'" --state '{"A": "three"}'`,
          `pupil program eval "{A} xor {B}" --state '{"A":"yes","B":"no"}' --json`,
        ],
        load: () => import('./commands/program-eval.ts'),
      },
    ],
  },
  {
    name: 'show',
    about: 'show a stored run',
    arguments: [{ name: 'run', about: 'its id, the beginning of it, or "last"' }],
    options: [HTML],
    examples: ['pupil show last', 'pupil show run_8f2c --html run.html', 'pupil show last --json'],
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'replay',
    about: 'run a stored run again from its record, without any model',
    arguments: [{ name: 'run', about: 'its id, the beginning of it, or "last"' }],
    options: [
      { flags: '--from <step>', about: 'run anew from this step on', kind: 'number' },
      TRACE,
    ],
    examples: ['pupil replay last', 'pupil replay run_8f2c --from 2 --trace'],
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'runs',
    about: 'list stored runs, newest first',
    options: [
      { flags: '-n, --limit <count>', about: 'at most so many (20)', kind: 'number' },
      { flags: '--before <run>', about: 'only those before this one' },
      FAMILY,
    ],
    examples: ['pupil runs', 'pupil runs -n 5 --family imgedit --json'],
    load: () => import('./commands/runs.ts'),
  },
  ...LEARNING_COMMANDS,
  {
    name: 'tools',
    about: 'list the tools, or explain one',
    arguments: [{ name: 'name', about: 'a tool, such as LOC', optional: true }],
    options: [FAMILY],
    examples: ['pupil tools', 'pupil tools LOC', 'pupil tools --family imgedit --json'],
    load: () => import('./commands/tools.ts'),
  },
  {
    name: 'demonstrations',
    about: 'the examples that planning learns from',
    examples: ['pupil demonstrations ls --family gqa'],
    commands: [
      {
        name: 'ls',
        about: 'list them',
        options: [FAMILY],
        examples: ['pupil demonstrations ls', 'pupil demonstrations ls --family nlvr --json'],
        load: () => import('./commands/demonstrations-ls.ts'),
      },
      {
        name: 'add',
        about: 'add a right one: an instruction and the program for it',
        arguments: [{ name: 'instruction', about: 'the instruction' }, PROGRAM_FILE],
        options: [FAMILY],
        examples: [
          'pupil demonstrations add "Are there more cups than plates?" more.txt --family gqa',
        ],
        load: () => import('./commands/demonstrations-add.ts'),
      },
      {
        name: 'rm',
        about: 'remove one that was added',
        arguments: [{ name: 'id', about: 'its id' }],
        examples: ['pupil demonstrations rm demo_8f2c'],
        load: () => import('./commands/demonstrations-rm.ts'),
      },
    ],
  },
  {
    name: 'doctor',
    about: 'check what works here, and say how to get the rest',
    options: [
      { flags: '--licences', about: 'list every model with its licence' },
      {
        flags: '--probe',
        about: 'ask the models what they can do (some ten requests each, one small picture)',
      },
    ],
    examples: ['pupil doctor', 'pupil doctor --licences', 'pupil doctor --probe --json'],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'init',
    about: 'make this folder a Pupil project',
    options: [{ flags: '--force', about: 'replace a configuration that is there' }],
    examples: ['pupil init', 'pupil init --cwd ~/photos'],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'start',
    about: 'serve the page and the API on this machine',
    options: [
      { flags: '--host <address>', about: 'address of this machine to listen on (127.0.0.1)' },
      { flags: '-p, --port <port>', about: 'port (4173, or the next free one)', kind: 'number' },
      { flags: '--token', about: 'answer only who has a token (see "pupil token")' },
      {
        ...{ flags: '--name <host>', kind: 'list' },
        about:
          'a name that a proxy in front is called by, with its port if it is not the usual one',
      },
    ],
    examples: ['pupil start', 'pupil start --port 8080', 'pupil start --host 0.0.0.0 --token'],
    load: () => import('./commands/start.ts'),
  },
  SERVE_COMMAND,
  TOKEN_COMMAND,
  WORLD_COMMANDS,
  EVAL_COMMAND,
  ONNX_COMMANDS,
  {
    name: 'mcp',
    about: 'serve agents and desktop programs over the Model Context Protocol, on stdin and stdout',
    examples: ['pupil mcp', 'pupil mcp --space work'],
    more: 'A client starts it; docs/doors.md shows how to tell yours. Pictures may be given as paths.',
    load: () => import('./commands/mcp.ts'),
  },
  COMPLETION_COMMAND,
  {
    name: 'config',
    about: 'what is set, and where it came from',
    examples: ['pupil config print --origin'],
    commands: [
      {
        name: 'print',
        about: 'print every setting',
        options: [{ flags: '--origin', about: 'say where each value came from' }],
        examples: [
          'pupil config print',
          'pupil config print --origin',
          'pupil config print --json',
        ],
        load: () => import('./commands/config-print.ts'),
      },
    ],
  },
  {
    name: 'cache',
    about: 'what is kept on disk',
    examples: ['pupil cache ls', 'pupil cache prune'],
    commands: [
      {
        name: 'ls',
        about: 'list caches and their sizes',
        examples: ['pupil cache ls', 'pupil cache ls --json'],
        load: () => import('./commands/cache-ls.ts'),
      },
      {
        name: 'prune',
        about: 'delete what can be made again, and pictures that no run uses',
        examples: ['pupil cache prune', 'pupil cache prune --json'],
        load: () => import('./commands/cache-prune.ts'),
      },
    ],
  },
]
