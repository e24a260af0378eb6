import type { Chosen } from './page-state.ts'
import { runIn } from './png-run.ts'
import type { CarriedRun } from './png-run.ts'

/** Pictures among dropped, pasted or chosen files. */
export function chosenFrom(
  files: Iterable<File> | ArrayLike<File> | null | undefined,
): readonly Chosen[] {
  return Array.from(files ?? [])
    .filter((file) => file.type.startsWith('image/') || file.type === '')
    .map((file) => ({ name: file.name, file, address: URL.createObjectURL(file) }))
}

/** The run that a chosen file was kept with. */
export async function carriedBy(picture: Chosen | undefined): Promise<CarriedRun | undefined> {
  if (picture?.file === undefined) return undefined
  return runIn(new Uint8Array(await picture.file.arrayBuffer()))
}
