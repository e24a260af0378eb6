import type { Reader } from '../../backends.ts'
import type { Eyes } from './eyes.ts'
import type { PhotoModels } from './models.ts'

/** Reads text, Latin and Chinese, on signs, labels and pages. */
export function photoReader(eyes: Eyes, models: PhotoModels): Reader {
  return {
    name: 'photo/pp-ocr',
    models: () => [models.stamp('ocr-detect'), models.stamp('ocr-recognise')],
    can: ['reads printed text, Latin and Chinese, on photographs and pages'],
    cannot: ['handwriting and vertical text: not measured', 'text upside down'],
    read: (image, options) => eyes.lines(image, options),
  }
}
