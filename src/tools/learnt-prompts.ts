import type { RunTensor, RunTensors } from '../onnx/index.ts'
import type { PromptUse } from '../program/index.ts'

/** What is asked of the pool of prompts. */
export interface PromptAsk {
  readonly tool: string
  /** As it stands in the call; null for a pool without concepts (VQA). */
  readonly concept: string | null
  /** Hash of the model: prompts of another are not given. */
  readonly model: string
  /** Of the input, as the learnable measures it. */
  readonly feature: Float32Array
  /** Default 10, for VQA 20 (clova §4.3). */
  readonly most?: number
  /** The feature is two halves, and each must be at least so near: VQA's picture and question, 0.6. */
  readonly halves?: number
}

/** A learnt prompt near to an input. */
export interface NearPrompt {
  readonly use: PromptUse
  /** Cosine, above 0. */
  readonly weight: number
  /** Flat, in the order of the shape. */
  readonly values: Float32Array
  /** [inputs of the prompted graph, count, width]. */
  readonly shape: readonly number[]
}

/** Prompts that act now; read at each call, so that lessons act at once and in every process. */
export interface LearntPrompts {
  /** Nearest first; none means the plain tool, bit for bit. */
  near(ask: PromptAsk): Promise<readonly NearPrompt[]>
}

export const NO_PROMPTS: LearntPrompts = Object.freeze({ near: async () => [] })

/** A prompt for an input, with what it was mixed from. */
export interface MixedPrompt {
  readonly prompts: RunTensors
  readonly uses: readonly PromptUse[]
}

/**
 * p′ = Σ w_i p_i / Σ w_i of prompts near to an input, as the prompted graph takes it.
 *
 * @returns undefined when there is none or all cancel out to zero: the plain tool
 * @source CLOVA §3.4; clova §4.1
 */
export function mixPrompts(near: readonly NearPrompt[]): MixedPrompt | undefined {
  const [first] = near
  const total = near.reduce((sum, { weight }) => sum + weight, 0)
  if (first === undefined || total <= 0) return undefined
  const mixed = new Float64Array(first.values.length)
  for (const { weight, values } of near) {
    for (let i = 0; i < mixed.length; i++) {
      mixed[i] = (mixed[i] ?? 0) + (weight / total) * (values[i] ?? 0)
    }
  }
  if (mixed.every((value) => value === 0)) return undefined
  const uses = near.map(({ use, weight }) => ({ ...use, weight: rounded(weight / total) }))
  return { prompts: promptTensors(Float32Array.from(mixed), first.shape), uses }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Flat values as the inputs of a prompted graph: `prompt`, or `prompt_0`, `prompt_1`, … */
export function promptTensors(
  values: Float32Array,
  [inputs = 1, count = 0, width = 0]: readonly number[],
): RunTensors {
  const size = count * width
  const entries = Array.from({ length: inputs }, (_, i): [string, RunTensor] => [
    inputs === 1 ? 'prompt' : `prompt_${i}`,
    {
      ...{ type: 'float32', dims: [1, count, width] },
      data: values.slice(i * size, (i + 1) * size),
    },
  ])
  return Object.fromEntries(entries)
}

/** The inputs of a prompted graph as flat values with their shape: what is kept of a prompt. */
export function flatPrompt(prompts: RunTensors): {
  readonly values: Float32Array
  readonly shape: readonly number[]
} {
  const names = Object.keys(prompts).toSorted((a, b) => numberOf(a) - numberOf(b))
  const tensors = names.flatMap((name) => prompts[name] ?? [])
  const values = Float32Array.from(tensors.flatMap(({ data }) => [...data].map(Number)))
  return { values, shape: [tensors.length, ...(tensors[0]?.dims.slice(1) ?? [])] }
}

const numberOf = (name: string): number => Number(/_(\d+)$/.exec(name)?.[1] ?? 0)
