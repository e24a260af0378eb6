import type { RunDocument } from '../../app/index.ts'
import { pictureAddress } from './api.ts'
import { withRun } from './png-run.ts'
import { words } from './words.ts'

/** Saves the result, or else the picture that was asked about, as a PNG that opens this run again. */
export function KeepRun({ run }: { readonly run: RunDocument }) {
  return (
    <button type="button" onClick={() => void keep(run)}>
      {words.keepRun}
    </button>
  )
}

async function keep(run: RunDocument): Promise<void> {
  const [first] = Object.values(run.inputs)
  const address = run.image ?? (first === undefined ? undefined : pictureAddress(first.image))
  if (address === undefined) return
  const png = await pngOf(address)
  const carried = { run: run.run, instruction: run.instruction }
  const file = new Blob([withRun(png, carried)], { type: 'image/png' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `${run.run}.png`
  link.click()
  URL.revokeObjectURL(link.href)
}

async function pngOf(address: string): Promise<Uint8Array> {
  const picture = await createImageBitmap(await (await fetch(address)).blob())
  const { width, height } = picture
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  picture.close()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return new Uint8Array((await blob?.arrayBuffer()) ?? [])
}
