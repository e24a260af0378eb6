import type { CommandSpec } from './command.ts'

/** `pupil dialogues`, as data. */
export const DIALOGUES_COMMAND: CommandSpec = {
  name: 'dialogues',
  about: 'instruction data that teaches a model to call skills',
  examples: ['pupil dialogues make --world 500 -o data'],
  commands: [
    {
      name: 'make',
      about: 'make dialogues from annotated pictures, the picture world and saved chats',
      options: [
        { flags: '--coco <file>', about: 'instances of COCO or LVIS' },
        { flags: '--captions <file>', about: 'captions of the same COCO pictures' },
        { flags: '--visual-genome <folder>', about: 'objects.json, image_data.json and more' },
        { flags: '--world <n>', about: 'so many scenes of the picture world', kind: 'number' },
        { flags: '--style <name>', about: 'drawing style of the picture world (twemoji)' },
        {
          flags: '--chat <file>',
          about: 'a conversation that /save wrote; may be repeated',
          kind: 'list',
        },
        { flags: '--variant <name>', about: 'fly, all-tools or both (fly)' },
        { flags: '--target <name>', about: 'trainer, "all", or several with commas (llava-plus)' },
        { flags: '--per-picture <n>', about: 'dialogues for each picture (4)', kind: 'number' },
        { flags: '--rounds <n>', about: 'questions in one dialogue (1)', kind: 'number' },
        { flags: '--seed <n>', about: 'start of the random numbers (1)', kind: 'number' },
        {
          flags: '--writer <model>',
          about: 'provider/model that rewords questions and writes answers (templates)',
        },
        { flags: '--writes <what>', about: 'what it writes: questions, answers or both (both)' },
        { flags: '-o, --out <folder>', about: 'folder to write into' },
      ],
      examples: [
        'pupil dialogues make --world 500 --variant both --target all -o data',
        'pupil dialogues make --coco instances_val2017.json --captions captions_val2017.json -o data',
        'pupil dialogues make --world 100 --writer ollama/qwen2.5:7b --writes questions -o data',
        'pupil dialogues make --chat talk.json --chat other.json --target llama-factory -o data',
      ],
      more: `Targets: llava-plus, llava, llama-factory, llama-factory-tools, trl, ms-swift, ms-swift-tools. Each folder
has train, val and test (no picture is in two), statistics.json and recipe.md. Answers, by templates
or by a language model, are checked against the results; what they do not bear out is dropped and counted.`,
      load: () => import('./commands/dialogues-make.ts'),
    },
  ],
}
