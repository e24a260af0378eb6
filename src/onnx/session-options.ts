import { availableParallelism } from 'node:os'
import { checkNumber, expected } from '../base/index.ts'

/**
 * What a session is for.
 *
 * `inference`: one forward pass at a time, few threads. `fast`: all threads, everything optimised.
 * `training`: constant folding off, so that no second copy of transposed weights is kept. `small-memory`:
 * besides, weights are not repacked, which is 5 % slower and a third smaller.
 */
export type SessionPreset = 'inference' | 'fast' | 'training' | 'small-memory'

export interface SessionOptions {
  /** Default `inference`. */
  readonly preset?: SessionPreset
  /** Threads of one operation; default 1 for `inference`, else one for each core. */
  readonly threads?: number
  /** Where kernels run; default `cpu`. `cuda` and `webgpu` where the runtime brings them. */
  readonly provider?: 'cpu' | 'cuda' | 'webgpu'
  /** How much the runtime may rewrite the graph; default `all`. */
  readonly level?: 'disabled' | 'basic' | 'extended' | 'all'
  /** Optimisers that the runtime must not use, by its own names. */
  readonly without?: readonly string[]
  /** A file that the runtime writes its rewritten graph to. */
  readonly optimizedFile?: string
}

/** What onnxruntime takes; every value below `extra` has to be text. */
export interface RuntimeOptions {
  readonly executionProviders: string[]
  readonly intraOpNumThreads: number
  readonly interOpNumThreads: number
  readonly executionMode: 'sequential'
  readonly enableMemPattern: boolean
  readonly enableCpuMemArena: boolean
  readonly graphOptimizationLevel: 'disabled' | 'basic' | 'extended' | 'all'
  readonly logSeverityLevel: 0 | 1 | 2 | 3 | 4
  readonly optimizedModelFilePath?: string
  readonly extra: {
    readonly session: Readonly<Record<string, string | Readonly<Record<string, string>>>>
    readonly optimization?: Readonly<Record<string, string>>
  }
}

interface Preset {
  readonly threads: 'one' | 'all'
  readonly folding: boolean
  readonly prepacking: boolean
}

const presets: { readonly [K in SessionPreset]: Preset } = {
  inference: { threads: 'one', folding: true, prepacking: true },
  fast: { threads: 'all', folding: true, prepacking: true },
  training: { threads: 'all', folding: false, prepacking: true },
  'small-memory': { threads: 'all', folding: false, prepacking: false },
}

/**
 * The runtime's options for ours.
 *
 * Memory patterns are off (same speed, a fifth less memory), threads never spin (sessions side by side
 * would starve each other), operations run one after another (parallel is twice as slow).
 *
 * @param folder  where external weights lie
 */
export function runtimeOptions(
  options: SessionOptions,
  folder: string | undefined,
): RuntimeOptions {
  const { preset = 'inference', provider = 'cpu', level = 'all', optimizedFile } = options
  if (!Object.hasOwn(presets, preset)) {
    throw expected(`one of ${Object.keys(presets).join(', ')}`, 'preset', preset)
  }
  const { threads, folding, prepacking } = presets[preset]
  const without = [...(options.without ?? []), ...(folding ? [] : ['ConstantFolding'])]
  return {
    executionProviders: provider === 'cpu' ? ['cpu'] : [provider, 'cpu'],
    intraOpNumThreads:
      options.threads === undefined
        ? threads === 'one'
          ? 1
          : availableParallelism()
        : checkNumber(options.threads, 'threads', { min: 1, max: 1024, integer: true }),
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableMemPattern: false,
    enableCpuMemArena: true,
    graphOptimizationLevel: level,
    logSeverityLevel: 3,
    ...(optimizedFile === undefined ? {} : { optimizedModelFilePath: optimizedFile }),
    extra: {
      session: {
        intra_op: { allow_spinning: '0' },
        ...(prepacking ? {} : { disable_prepacking: '1' }),
        ...(folder === undefined ? {} : { model_external_initializers_file_folder_path: folder }),
      },
      ...(without.length === 0
        ? {}
        : { optimization: { disable_specified_optimizers: without.join(';') } }),
    },
  }
}
