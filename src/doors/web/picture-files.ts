import type { Chosen } from './page-state.ts'

/** Pictures among dropped, pasted or chosen files. */
export function chosenFrom(
  files: Iterable<File> | ArrayLike<File> | null | undefined,
): readonly Chosen[] {
  return Array.from(files ?? [])
    .filter((file) => file.type.startsWith('image/') || file.type === '')
    .map((file) => ({ name: file.name, file, address: URL.createObjectURL(file) }))
}
