import { DIALOGUE_TARGETS, makeInstructionData } from '../../../app/index.ts'
import type { DialogueRequest, DialoguesMade } from '../../../app/index.ts'
import { expected, UserFault } from '../../../base/index.ts'
import type { CommandInput } from '../command.ts'
import { configFor, pathFrom } from '../open.ts'
import { progressLine } from '../progress.ts'
import { writeJson } from '../report.ts'
import { oneOf } from '../world.ts'

export async function run(input: CommandInput): Promise<number> {
  const { io, global } = input
  const request = readRequest(input)
  const { config } = await configFor(input)
  const line = progressLine(io, global)
  let made: DialoguesMade
  try {
    made = await makeInstructionData(request, config, {
      ...{ signal: io.signal, progress: line.note, env: io.env },
    })
  } finally {
    line.clear()
  }
  if (global.json) writeJson(io, { folder: request.folder, ...made })
  else io.stdout.write(`${madeText(made, request.folder)}\n`)
  return 0
}

function readRequest(input: CommandInput): DialogueRequest {
  const { options } = input
  const path = (name: string): string | undefined =>
    typeof options[name] === 'string' ? pathFrom(input, options[name]) : undefined
  const folder = path('out')
  if (folder === undefined) {
    throw new UserFault('E_USAGE', 'Where are the dialogues to be written?', {
      cure: 'Add -o FOLDER.',
    })
  }
  const variant = oneOf(options['variant'], 'variant', ['fly', 'all-tools', 'both'] as const, 'fly')
  const [instances, captions, visualGenome] = ['coco', 'captions', 'visualGenome'].map(path)
  const chats = (options['chat'] as readonly string[] | undefined) ?? []
  const numbers = {
    perPicture: options['perPicture'],
    rounds: options['rounds'],
    seed: options['seed'],
  }
  return {
    ...{ folder, targets: readTargets(options['target']) },
    variants: variant === 'both' ? ['fly', 'all-tools'] : [variant],
    chats: chats.map((one) => pathFrom(input, one)),
    ...(instances === undefined
      ? {}
      : { coco: { instances, ...(captions === undefined ? {} : { captions }) } }),
    ...(visualGenome === undefined ? {} : { visualGenome }),
    ...readWriter(options),
    ...(typeof options['world'] === 'number'
      ? {
          world: {
            count: options['world'],
            ...(typeof options['style'] === 'string' ? { style: options['style'] } : {}),
          },
        }
      : {}),
    ...(Object.fromEntries(
      Object.entries(numbers).filter(([, value]) => value !== undefined),
    ) as Pick<DialogueRequest, 'perPicture' | 'rounds' | 'seed'>),
  }
}

function readWriter({ writer, writes }: CommandInput['options']): Pick<DialogueRequest, 'writer'> {
  const what = oneOf(writes, 'writes', ['questions', 'answers', 'both'] as const, 'both')
  if (typeof writer === 'string') {
    return {
      writer: { model: writer, questions: what !== 'answers', answers: what !== 'questions' },
    }
  }
  if (writes === undefined) return {}
  throw new UserFault('E_USAGE', '--writes needs a model that writes.', {
    cure: 'Add --writer provider/model.',
  })
}

function readTargets(value: unknown): DialogueRequest['targets'] {
  const names = typeof value === 'string' ? value.split(',') : ['llava-plus']
  if (names.includes('all')) return DIALOGUE_TARGETS
  return names.map((name) => {
    const found = DIALOGUE_TARGETS.find((one) => one === name.trim())
    if (found === undefined)
      throw expected([...DIALOGUE_TARGETS, 'all'].join(', '), '--target', name)
    return found
  })
}

function madeText({ statistics, dropped, written }: DialoguesMade, folder: string): string {
  const [first] = Object.values(statistics)
  const lost = Object.values(dropped).reduce((sum, n) => sum + n, 0)
  if (first === undefined) return 'Nothing was made.'
  const { dialogues, bySplit, bySkill, bySource } = first
  const list = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ')
  return [
    `${dialogues} dialogues in ${folder} for ${Object.keys(statistics).join(', ')}.`,
    `Splits: ${list(bySplit)}. Sources: ${list(bySource)}.`,
    `Skills: ${list(bySkill)}.`,
    ...(written === undefined ? [] : [writtenText(written)]),
    ...(lost === 0 ? [] : [`${lost} were dropped: ${list(dropped)}.`]),
  ].join('\n')
}

function writtenText({ reworded, kept, answered }: NonNullable<DialoguesMade['written']>): string {
  const left = Object.entries(kept).map(([why, n]) => `${n}: ${why}`)
  const stayed =
    left.length === 0 ? '' : `; wordings of the template that stayed: ${left.join(', ')}`
  return `By the model: ${reworded} questions reworded, ${answered} answers written${stayed}.`
}
