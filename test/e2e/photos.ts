import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A photograph of the fixtures, by name. */
export function photo(name: string): string {
  return fileURLToPath(new URL(`../fixtures/photos/${name}.jpg`, import.meta.url))
}

/** Converted models are the same for every test; the folder may be emptied at any time. */
export const MODEL_CACHE = join(tmpdir(), 'pupil-test-cache')
