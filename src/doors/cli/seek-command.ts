import type { CommandSpec } from './command.ts'

/** `pupil seek`, as data. */
export const SEEK_COMMAND: CommandSpec = {
  name: 'seek',
  about: 'find out what is known about what a picture shows, with sources',
  arguments: [
    { name: 'picture', about: 'a picture file, or "-" for stdin' },
    { name: 'question', about: 'what you want to know; "-" for stdin' },
  ],
  options: [
    { flags: '--max-steps <n>', about: 'most tool calls (12)', kind: 'number' },
    { flags: '--max-cost <usd>', about: 'most money for paid sources (0: they are off)' },
    { flags: '--offline', about: 'use nothing outside this machine' },
    { flags: '--svg <file>', about: 'draw the path through the graph into an SVG file' },
    { flags: '--send-pictures', about: 'allow pictures to be sent to configured services' },
    { flags: '--picture-url <url>', about: 'where the picture stands publicly, for Google Lens' },
    { flags: '--graph <file>', about: 'a transition graph, as "pupil study graph -o" writes it' },
    { flags: '--budget <limits>', about: 'limits such as calls=10,tokens=20000,seconds=30' },
    { flags: '--seed <n>', about: 'start of the random numbers', kind: 'number' },
  ],
  examples: [
    'pupil seek cat.jpg "What family does this animal belong to?" --offline',
    'pupil seek car.jpg "In which year was the maker of this car founded?" --json',
    'pupil seek tower.jpg "How tall is this tower?" --max-steps 20',
    'pupil seek cat.jpg "What family does this animal belong to?" --svg path.svg',
  ],
  more: `Asks WordNet and the vision models of this machine. Set "sources.documents" for your own texts,
"sources.pictureFolder" for named pictures of your own, "sources.contact" for Wikipedia and Wikidata,
"sources.searxng", "sources.kiwix", "sources.commons", "sources.openverse", "sources.braveKeyEnv",
"sources.cloudVisionKeyEnv" or "sources.serpapiKeyEnv" for more. With "sources.pictures" set to "ask" you are
shown each picture before it is sent. Steps go to stderr, the answer and its sources to stdout.
Exit code 3: nothing was found that can be believed; what was tried is told.`,
  load: () => import('./commands/seek.ts'),
}
