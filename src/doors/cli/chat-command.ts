import type { CommandSpec } from './command.ts'

/** `pupil chat`, as data. */
export const CHAT_COMMAND: CommandSpec = {
  name: 'chat',
  about: 'talk about pictures; without a language model too',
  arguments: [{ name: 'picture', about: 'picture files to talk about', many: true }],
  options: [
    { flags: '--open <file>', about: 'go on with a conversation that /save wrote' },
    { flags: '--trace', about: 'show the skills that are called, on stderr' },
    {
      flags: '--budget <limits>',
      about: 'limits of a turn such as calls=10,tokens=20000,seconds=30,money=0.05',
    },
    { flags: '--seed <n>', about: 'start of the random numbers', kind: 'number' },
  ],
  examples: [
    'pupil chat street.jpg',
    'pupil chat --open talk.json --trace',
    'echo "How many people are there?" | pupil chat street.jpg',
    'pupil chat street.jpg --json < questions.txt',
  ],
  more: [
    'Each line is a turn. Lines that begin with "/":',
    '  /image FILE    add a picture',
    '  /skills        what can be done here, and what is missing for the rest',
    '  /correct TEXT  say what the last answer should have been',
    '  /save [FILE]   write the conversation; --open goes on with it',
    '  /save x.png    write the newest picture (.png, .jpg, .webp)',
    '  /quit          end (or Ctrl-D)',
    'The model is that of the role "chat", or "planner", in the configuration; without one, answers come by',
    'analogy with recorded dialogues. Every turn is stored as a run: "pupil show last".',
    'When stdin is no terminal, the exit code is that of the first line that failed. With --json every part',
    'of a turn is a JSON line.',
  ].join('\n'),
  load: () => import('./commands/chat.ts'),
}
