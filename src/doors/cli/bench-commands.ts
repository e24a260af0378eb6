import type { CommandModule, CommandSpec, OptionSpec } from './command.ts'
import type { BenchName } from './commands/eval-bench.ts'

/** The one command behind all of them, told which benchmark is meant. */
const bench = (name: BenchName) => async (): Promise<CommandModule> => {
  const { runNamed } = await import('./commands/eval-bench.ts')
  return { run: (input) => runNamed(name, input) }
}

const MODE: OptionSpec = {
  flags: '--mode <name>',
  about: 'strict, as the official code counts; sane; or both (both)',
}
const JUDGE: OptionSpec = {
  flags: '--judge <model>',
  about: 'provider/model that judges (the configured planner, else the configured chat)',
}
const ANSWERS: readonly OptionSpec[] = [
  { flags: '--answers <file>', about: 'answers given before: {"question_id", "text"} a line' },
  { flags: '--pictures <folder>', about: 'or answer now, with the pictures of this folder' },
  { flags: '--skills <mode>', about: 'when answering now: fly, plain or all-tools (fly)' },
  { flags: '-o, --out <file>', about: 'write the answers that are given now there' },
]
const LLAVA: readonly OptionSpec[] = [
  { flags: '--questions <file>', about: 'questions, a JSON line each' },
  { flags: '--contexts <file>', about: 'what the judge is told of each picture, a JSON line each' },
  { flags: '--references <file>', about: 'reference answers, a JSON line each' },
  { flags: '--rules <file>', about: 'by category {"role", "prompt"} (ours, in our own words)' },
  { flags: '--prefix <text>', about: 'before categories in the rules, as llava_bench_ (none)' },
  { flags: '--swap', about: 'judge in both orders, which takes out the bias of place' },
  JUDGE,
  ...ANSWERS,
]

/** Benchmarks of others under `pupil eval`, as data: the user brings their files. */
export const BENCH_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'infoseek',
    about: 'score predictions for InfoSeek, coverage beside every figure',
    arguments: [{ name: 'predictions', about: 'lines of {"data_id", "prediction"}' }],
    options: [
      { flags: '--references <file>', about: 'infoseek_val.jsonl' },
      { flags: '--types <file>', about: 'infoseek_val_qtype.jsonl' },
      MODE,
    ],
    examples: [
      'pupil eval infoseek predictions.jsonl --references infoseek_val.jsonl --types infoseek_val_qtype.jsonl',
    ],
    load: bench('infoseek'),
  },
  {
    name: 'okvqa',
    about: 'score predictions for OK-VQA',
    arguments: [{ name: 'predictions', about: 'a list of {"question_id", "answer"}' }],
    options: [
      { flags: '--annotations <file>', about: 'mscoco_val2014_annotations.json' },
      { flags: '--raw', about: 'against raw_answer: not comparable with published figures' },
      MODE,
    ],
    examples: ['pupil eval okvqa results.json --annotations mscoco_val2014_annotations.json'],
    load: bench('okvqa'),
  },
  {
    name: 'evqa',
    about: 'score predictions for Encyclopedic-VQA: exact, by tokens, by a judge; never BEM',
    arguments: [{ name: 'predictions', about: 'lines of {"row", "prediction"}, rows from 0' }],
    options: [
      { flags: '--questions <file>', about: 'test.csv' },
      { flags: '--judge <model>', about: 'provider/model for evqa-judge (none)' },
    ],
    examples: ['pupil eval evqa predictions.jsonl --questions test.csv'],
    load: bench('evqa'),
  },
  {
    name: 'llava-bench',
    about: 'answer and judge LLaVA-Bench (COCO, In-the-Wild)',
    options: LLAVA,
    examples: [
      'pupil eval llava-bench --questions q.jsonl --contexts c.jsonl --references r.jsonl --pictures images --judge ollama/qwen2.5:7b',
      'pupil eval llava-bench --questions q.jsonl --contexts c.jsonl --references r.jsonl --answers a.jsonl --prefix llava_bench_ --swap',
    ],
    load: bench('llava-bench'),
  },
  {
    name: 'tools',
    about: 'answer and judge the tools bench: grounding, tagging, caption, ocr',
    options: LLAVA,
    examples: [
      'pupil eval tools --questions q.jsonl --contexts c.jsonl --references r.jsonl --pictures images',
    ],
    more: 'The published questions of this bench are not available: bring your own in the same form.',
    load: bench('tools'),
  },
  {
    name: 'seed',
    about: 'answer and score SEED-Bench by the letters of the choices',
    options: [{ flags: '--annotations <file>', about: 'SEED-Bench.json' }, ...ANSWERS],
    examples: ['pupil eval seed --annotations SEED-Bench.json --pictures images -o answers.jsonl'],
    load: bench('seed'),
  },
  {
    name: 'mm-vet',
    about: 'answer and grade MM-Vet',
    options: [
      { flags: '--annotations <file>', about: 'mm-vet.json' },
      { flags: '--runs <n>', about: 'how often each answer is graded (1)', kind: 'number' },
      JUDGE,
      ...ANSWERS,
    ],
    examples: ['pupil eval mm-vet --annotations mm-vet.json --answers answers.jsonl --runs 5'],
    load: bench('mm-vet'),
  },
]
