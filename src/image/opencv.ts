import { createRequire } from 'node:module'
import type * as OpenCv from '@techstark/opencv-js'

/** The parts of OpenCV that we call; its own types cover them loosely. */
export type Cv = typeof OpenCv

/** OpenCV in a box: the `cv` object has a `then`, so no promise may ever be resolved with it. */
export interface Loaded {
  readonly cv: Cv
}

/** Takes a Mat into care and gives it back; all are freed when the work is done. */
export type Own = <M extends { delete(): void }>(mat: M) => M

let loading: Promise<Loaded> | undefined

/** OpenCV, initialised at the first call (about 0.3 s) and kept for the life of the process. */
export function loadOpenCv(): Promise<Loaded> {
  return (loading ??= load())
}

async function load(): Promise<Loaded> {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const before = events.map((event) => new Set<unknown>(process.listeners(event as 'exit')))
  const cv = createRequire(import.meta.url)('@techstark/opencv-js') as Cv & {
    onRuntimeInitialized?: () => void
  }
  if (cv.Mat === undefined) {
    const { promise, resolve } = Promise.withResolvers<void>()
    cv.onRuntimeInitialized = resolve
    await promise
  }
  // Its runtime asks to abort on any unhandled rejection of the whole process: not its business.
  events.forEach((event, i) => {
    for (const listener of process.listeners(event as 'exit')) {
      if (before[i]?.has(listener) === false) process.removeListener(event, listener)
    }
  })
  return { cv }
}

/** Runs work with OpenCV and frees every Mat that it owned, whatever happens. */
export async function withOpenCv<T>(work: (loaded: Loaded, own: Own) => Promise<T>): Promise<T> {
  const loaded = await loadOpenCv()
  const owned: { delete(): void }[] = []
  const own: Own = (mat) => {
    owned.push(mat)
    return mat
  }
  try {
    return await work(loaded, own)
  } finally {
    for (const mat of owned) mat.delete()
  }
}
