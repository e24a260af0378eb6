import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { CorpusSink, CorpusStatistics } from './corpus.ts'
import { writeCorpus } from './corpus.ts'
import type { Dialogue } from './dialogue.ts'
import { trainingRecipe } from './recipe.ts'
import type { TargetName } from './targets.ts'

export interface CorpusFilesOptions {
  readonly folder: string
  readonly target: TargetName
}

/** Letters gathered before they are written to a file. */
const CHUNK = 1 << 20

/**
 * A corpus as files in a folder: the splits, `statistics.json`, `recipe.md`, and for LLaMA-Factory
 * `dataset_info.json`. Files of an earlier corpus there are replaced.
 */
export async function writeCorpusFiles(
  dialogues: Iterable<Dialogue> | AsyncIterable<Dialogue>,
  { folder, target }: CorpusFilesOptions,
): Promise<CorpusStatistics> {
  await mkdir(folder, { recursive: true })
  const held = new Map<string, string>()
  const flush = async (file: string): Promise<void> => {
    await appendFile(join(folder, file), held.get(file) ?? '')
    held.set(file, '')
  }
  const sink: CorpusSink = async (file, text) => {
    const known = held.get(file)
    if (known === undefined) await rm(join(folder, file), { force: true })
    held.set(file, (known ?? '') + text)
    if ((held.get(file)?.length ?? 0) > CHUNK) await flush(file)
  }
  const statistics = await writeCorpus(dialogues, target, sink)
  for (const file of held.keys()) await flush(file)
  const put = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text)
  await put('statistics.json', `${JSON.stringify(statistics, null, 2)}\n`)
  await put('recipe.md', trainingRecipe(target))
  if (target.startsWith('llama-factory')) {
    await put(
      'dataset_info.json',
      `${JSON.stringify(datasetInfo([...held.keys()], target), null, 2)}\n`,
    )
  }
  return statistics
}

/** The entry that LLaMA-Factory needs for each file. */
function datasetInfo(files: readonly string[], target: TargetName): object {
  const tools = target === 'llama-factory-tools' ? { tools: 'tools' } : {}
  const columns = { messages: 'conversations', images: 'images', ...tools }
  return Object.fromEntries(
    files.map((file) => [
      `pupil_${basename(file, '.json')}`,
      { file_name: file, formatting: 'sharegpt', columns },
    ]),
  )
}
