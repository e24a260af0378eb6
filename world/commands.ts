import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserFault } from '../src/base/index.ts'
import type { Abortable, Progress } from '../src/base/index.ts'
import { encodePng } from '../src/image/index.ts'
import { writeCoco } from './formats/coco.ts'
import { writeGqaQuestions, writeGqaScenes } from './formats/gqa.ts'
import { writeLlava } from './formats/llava.ts'
import { writeLvis } from './formats/lvis.ts'
import { writeNlvr2 } from './formats/nlvr2.ts'
import { openLexicon } from './lexicon.ts'
import { createPictureSource } from './pictures.ts'
import type { FoundPicture, SearchOptions } from './pictures.ts'
import { DEVELOPMENT_STYLE, loadSprites, TRAIN_STYLES } from './sprites/load-sprites.ts'
import { createLibrary } from './tasks/library.ts'
import type { Library } from './tasks/library.ts'
import { makeTasks } from './tasks/make-tasks.ts'
import type { TaskOptions } from './tasks/make-tasks.ts'
import type { Task } from './tasks/task.ts'
import type { Scene, Style } from './types.ts'

/** Where built sprites are kept between calls; building a style takes some seconds, once. */
export interface WorldPlace extends Abortable {
  readonly cacheFolder: string
  readonly progress?: Progress
}

/** A library of drawings in some styles, built at first use. */
export async function openLibrary(
  styles: readonly Style[],
  { cacheFolder, signal, progress }: WorldPlace,
): Promise<Library> {
  const [lexicon, sprites] = await Promise.all([
    openLexicon(),
    loadSprites(styles, cacheFolder, { signal, progress }),
  ])
  return createLibrary(lexicon, sprites)
}

export interface SceneRequest {
  readonly seed: number
  /** Default the development style. */
  readonly style?: Style
  readonly objects?: number
  readonly size?: number
  /** Concepts that must stand in it, by name. */
  readonly wanted?: readonly string[]
}

/** One scene as a PNG with its truth: `pupil world scene`. */
export async function worldScene(
  { seed, style = DEVELOPMENT_STYLE, objects = 5, size = 256, wanted = [] }: SceneRequest,
  place: WorldPlace,
): Promise<{ readonly png: Uint8Array; readonly scene: Scene }> {
  const library = await openLibrary([style], place)
  const ids = wanted.map((name) => idOf(library, name))
  const recipe = {
    ...{ seed, size, objects, styles: [style], wanted: ids, tints: [], without: [] },
    fresh: ids.filter((id) => library.lexicon.concept(id).split === 'new'),
  }
  const raw = library.paint(recipe)
  return {
    png: encodePng(raw.rgb, raw.width, raw.height),
    scene: library.scene(recipe).graph,
  }
}

function idOf({ lexicon }: Library, name: string): string {
  const found = lexicon.concepts.get(name) ?? lexicon.named(name)
  if (found !== undefined) return found.id
  throw new UserFault('E_ARGUMENT', `There is no concept "${name}" in the picture world.`, {
    fields: { name },
    cure: 'See the concepts with "pupil world stats".',
  })
}

export type TaskFormat = 'gqa' | 'nlvr2' | 'coco' | 'lvis' | 'llava' | 'pupil'

/** Tasks of a family: `pupil world tasks`. Styles default to the development style. */
export async function worldTasks(
  options: Omit<TaskOptions, 'styles'> & { readonly styles?: readonly Style[] },
  place: WorldPlace,
): Promise<{ readonly tasks: readonly Task[]; readonly library: Library }> {
  const styles = options.styles ?? [DEVELOPMENT_STYLE]
  const library = await openLibrary(styles, place)
  return { tasks: makeTasks(library, { ...options, styles }), library }
}

/** The files of tasks in a format, by name; pictures are written by `exportTasks`. */
export function taskFiles(
  tasks: readonly Task[],
  format: TaskFormat,
  library: Library,
): Readonly<Record<string, string>> {
  const scenes = [
    ...new Map(
      tasks.flatMap((task) => task.scenes.map((one) => [one.image, one] as const)),
    ).values(),
  ]
  switch (format) {
    case 'gqa':
      return {
        'questions.json': writeGqaQuestions(tasks),
        'scene_graphs.json': writeGqaScenes(tasks, library.lexicon),
      }
    case 'nlvr2':
      return { 'statements.jsonl': writeNlvr2(tasks) }
    case 'coco': {
      const { instances, captions } = writeCoco(scenes, library.lexicon)
      return { 'instances.json': instances, 'captions.json': captions }
    }
    case 'lvis':
      return { 'lvis_v1.json': writeLvis(scenes, library.lexicon) }
    case 'llava':
      return { 'conversations.json': writeLlava(tasks) }
    case 'pupil':
      return { 'tasks.jsonl': tasks.map((task) => `${JSON.stringify(task)}\n`).join('') }
    default:
      return format satisfies never
  }
}

/** Writes tasks and their pictures into a folder; returns the files written. */
export async function exportTasks(
  tasks: readonly Task[],
  format: TaskFormat,
  library: Library,
  folder: string,
  { signal }: Abortable = {},
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const files = Object.entries(taskFiles(tasks, format, library))
  for (const [name, text] of files) await writeFile(join(folder, name), text, { signal })
  const written = files.map(([name]) => name)
  for (const [i, task] of tasks.entries()) {
    for (const [k, { image, recipe }] of task.scenes.entries()) {
      signal?.throwIfAborted()
      const raw = library.paint(recipe)
      const name = format === 'nlvr2' ? `pupil-${i}-0-img${k}.png` : image
      await writeFile(join(folder, name), encodePng(raw.rgb, raw.width, raw.height), { signal })
      written.push(name)
    }
  }
  return written
}

/** Pictures of a word as a search might find them, as PNG: `pupil world pictures`. */
export async function worldPictures(
  words: string,
  options: SearchOptions & { readonly styles?: readonly Style[] },
  place: WorldPlace,
): Promise<readonly (Omit<FoundPicture, 'rgb'> & { readonly png: Uint8Array })[]> {
  const library = await openLibrary(options.styles ?? TRAIN_STYLES, place)
  const source = createPictureSource(library.lexicon, library.sprites)
  return source.search(words, options).map(({ rgb, ...rest }) => ({
    ...rest,
    png: encodePng(rgb, rest.width, rest.height),
  }))
}
