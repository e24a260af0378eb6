import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { UserFault } from '../base/index.ts'
import { exemplarOf, exemplarText, promptOf, promptText } from '../memory/index.ts'
import type { Demonstration, Lesson, LessonParts } from '../memory/index.ts'

/** A lesson that can be carried elsewhere. */
export interface LessonFile {
  readonly lesson: Lesson
  readonly parts: LessonParts
  /** The pictures of its examples, as PNG, by content hash. */
  readonly pictures: Readonly<Record<string, Uint8Array>>
}

const FORMAT = 'pupil-lesson/1'
/** Bytes that an archive may unpack to. */
const MOST_BYTES = 256 * 2 ** 20

/** Packs a lesson; vectors of faces never go along unless asked for (photo-starter §6). */
export function packLesson(
  file: LessonFile,
  options: { readonly faces?: boolean } = {},
): Uint8Array {
  const { lesson, parts, pictures } = file
  const exemplars = parts.exemplars.filter(({ kind }) => options.faces === true || kind !== 'face')
  if (exemplars.length < parts.exemplars.length && exemplars.length === 0) {
    throw new UserFault('E_LESSON', 'The lesson holds faces of people, which are not exported.', {
      fields: { lesson: lesson.id },
      cure: 'Give --faces if you mean to carry them elsewhere.',
    })
  }
  const kept = new Set(exemplars.map(({ picture }) => picture))
  const document = {
    ...{ format: FORMAT, lesson },
    exemplars: exemplars.map((one) => JSON.parse(exemplarText(one)) as unknown),
    prompts: parts.prompts.map((one) => JSON.parse(promptText(one)) as unknown),
    demonstrations: parts.demonstrations,
  }
  const files: Record<string, Uint8Array> = {
    'lesson.json': strToU8(JSON.stringify(document, null, 2)),
  }
  for (const [hash, bytes] of Object.entries(pictures)) {
    if (kept.has(hash)) files[`pictures/${hash}.png`] = bytes
  }
  // A fixed time: the same lesson gives the same bytes.
  return zipSync(files, { mtime: new Date('1980-01-02T00:00:00Z') })
}

/** @throws UserFault `E_LESSON_FILE` for what is no lesson of ours */
export function unpackLesson(bytes: Uint8Array): LessonFile {
  try {
    let total = 0
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        total += originalSize
        if (total > MOST_BYTES) throw new RangeError('it unpacks to too much')
        return name === 'lesson.json' || /^pictures\/[0-9a-f]{64}\.png$/.test(name)
      },
    })
    const text = strFromU8(files['lesson.json'] ?? new Uint8Array())
    const json = JSON.parse(text) as {
      format?: string
      lesson: Lesson
      exemplars: unknown[]
      prompts: unknown[]
      demonstrations: Demonstration[]
    }
    if (json.format !== FORMAT) throw new TypeError(`its format is ${String(json.format)}`)
    const pictures = Object.entries(files).flatMap(([name, data]) =>
      name === 'lesson.json' ? [] : [[name.slice(9, -4), data] as const],
    )
    return {
      lesson: json.lesson,
      parts: {
        exemplars: json.exemplars.map((one) => exemplarOf(JSON.stringify(one))),
        prompts: json.prompts.map((one) => promptOf(JSON.stringify(one))),
        demonstrations: json.demonstrations,
      },
      pictures: Object.fromEntries(pictures),
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserFault('E_LESSON_FILE', `This is no lesson that Pupil can read: ${reason}.`, {
      cure: 'Give a file that "pupil lesson export" wrote.',
      cause,
    })
  }
}
