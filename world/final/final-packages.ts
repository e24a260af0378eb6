import type { DrawingPackage } from '../sprites/packages.ts'

/** The packages of the final styles; this is the only file that names them (a guard test holds that). */
export const FINAL_PACKAGES: readonly DrawingPackage[] = [
  {
    ...{ style: 'final-a', name: '@iconify-json/openmoji', version: '1.2.29', form: 'iconify' },
    ...{ role: 'final', designer: 'openmoji', author: 'OpenMoji', licence: 'CC-BY-SA-4.0' },
    mapped: 540,
  },
  {
    ...{ style: 'final-b', name: '@iconify-json/emojione-v1', version: '1.2.3', form: 'iconify' },
    ...{ role: 'final', designer: 'emojione-v1', author: 'Emoji One', licence: 'CC-BY-SA-4.0' },
    mapped: 318,
  },
]
