import type { TargetName } from './targets.ts'

/** The hyperparameters of the published 7B script (llava-plus §7.5); the paper itself states none. */
export const HYPERPARAMETERS = {
  base: 'Vicuna-7B, v0 or v1.3, with the pretrained linear projector of LLaVA stage 1',
  vision: 'CLIP ViT-L/14, feature layer -2, square pictures of 224 pixels, no special image tokens',
  epochs: 3,
  batchPerDevice: 16,
  accumulation: 2,
  devices: '4 or 8 accelerators of 80 GB',
  evaluationBatch: 4,
  learningRate: 2e-5,
  schedule: 'cosine',
  warmup: 0.03,
  weightDecay: 0,
  optimizer: 'AdamW',
  precision: 'bf16 + tf32',
  sharding: 'ZeRO-2',
  tokens: 2048,
  gradientCheckpointing: true,
  loaders: 4,
  saveEvery: 1000,
  keep: 8,
  lazyPreprocessing: true,
} as const

const HOW: Readonly<Record<TargetName, string>> = {
  'llava-plus': 'Give `train.json` as the data path of the LLaVA-Plus trainer, version `v1`.',
  llava: 'Give `train.json` as the data path of the LLaVA trainer; the three fields are merged.',
  'llama-factory':
    'Put this folder into `data/`, use `dataset: pupil_train` and `template: llava`.',
  'llama-factory-tools':
    'Put this folder into `data/`, use `dataset: pupil_train`; functions are in the column `tools`.',
  trl: 'Load `train.jsonl` with the `datasets` library for the SFT trainer. Loss on assistant text only needs a chat template with generation marks.',
  'ms-swift': 'Give `train.jsonl` as `--dataset`.',
  'ms-swift-tools': 'Give `train.jsonl` as `--dataset`; `tool_response` carries no loss.',
}

/** What to do with an exported corpus, as a page of Markdown. */
export function trainingRecipe(target: TargetName): string {
  const rows = Object.entries(HYPERPARAMETERS).map(
    ([name, value]) => `| ${name} | ${String(value)} |`,
  )
  return [
    `# Training on this corpus (${target})`,
    '',
    HOW[target],
    '',
    'Pictures are relative paths: give the folder of the pictures as the image folder.',
    'Loss belongs on assistant text and its end mark, of turns that call skills and of answers alike.',
    'All Tools prefixes are written in our own way, since the published one is not known.',
    '',
    '| setting | published 7B script |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}
