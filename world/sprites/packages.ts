import type { Style } from '../types.ts'

/** A package of drawings: where it is read and what its art may be used for (picture-world §2). */
export interface DrawingPackage {
  readonly style: Style
  readonly name: string
  readonly version: string
  readonly form: 'iconify' | 'files'
  readonly role: 'train' | 'development' | 'final'
  /** Renderings of one drawing share it: the Fluent variants. */
  readonly designer: string
  readonly author: string
  /** Licence of the art, which is not always the npm field. */
  readonly licence: string
  /** Drawings found when the table was made; a build that maps fewer fails. */
  readonly mapped: number
}

export const DRAWING_PACKAGES: readonly DrawingPackage[] = [
  {
    ...{ style: 'noto', name: '@iconify-json/noto', version: '1.2.9', form: 'iconify' },
    ...{ role: 'train', designer: 'noto', author: 'Google', licence: 'Apache-2.0' },
    mapped: 540,
  },
  {
    ...{ style: 'noto-v1', name: '@iconify-json/noto-v1', version: '1.2.5', form: 'iconify' },
    ...{ role: 'train', designer: 'noto-v1', author: 'Google', licence: 'Apache-2.0' },
    mapped: 382,
  },
  {
    ...{ style: 'fluent-flat', name: '@iconify-json/fluent-emoji-flat', version: '1.2.6' },
    ...{ form: 'iconify', role: 'train', designer: 'fluent', author: 'Microsoft', licence: 'MIT' },
    mapped: 535,
  },
  {
    ...{ style: 'fluent-3d', name: '@lobehub/fluent-emoji-3d', version: '1.1.0', form: 'files' },
    ...{ role: 'train', designer: 'fluent', author: 'Microsoft', licence: 'MIT' },
    mapped: 533,
  },
  {
    ...{ style: 'fxemoji', name: '@iconify-json/fxemoji', version: '1.2.2', form: 'iconify' },
    ...{ role: 'train', designer: 'fxemoji', author: 'Mozilla', licence: 'CC-BY-4.0' },
    mapped: 240,
  },
  {
    ...{ style: 'emojione', name: '@iconify-json/emojione', version: '1.2.3', form: 'iconify' },
    ...{ role: 'train', designer: 'emojione', author: 'Emoji One', licence: 'CC-BY-4.0' },
    mapped: 382,
  },
  {
    ...{ style: 'twemoji', name: '@iconify-json/twemoji', version: '1.2.5', form: 'iconify' },
    ...{ role: 'development', designer: 'twemoji', author: 'Twitter', licence: 'CC-BY-4.0' },
    mapped: 540,
  },
]
