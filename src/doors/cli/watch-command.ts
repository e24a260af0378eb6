import type { CommandSpec } from './command.ts'

export const WATCH_COMMAND: CommandSpec = {
  name: 'watch',
  about: 'tag the pictures of a folder, and new ones as they come',
  arguments: [
    { name: 'folder', about: 'a folder; those below it count too' },
    { name: 'instruction', about: 'what to tag ("Tag every person")', optional: true },
  ],
  options: [
    {
      flags: '--to <form>',
      about: 'jsonl: one file for all (default); xmp: also a file beside each',
    },
    { flags: '--once', about: 'tag what is there, then end' },
  ],
  examples: [
    'pupil watch ~/photos',
    'pupil watch ~/photos "Tag the cars and buses" --to xmp',
    'pupil watch inbox --once --json',
  ],
  more:
    'What was done stands in pupil-tags.jsonl of the folder, a line for each picture; a picture is tagged again when ' +
    'its file changes, and after a stop it goes on where it was. XMP that other programs wrote is never changed.',
  load: () => import('./commands/watch.ts'),
}
