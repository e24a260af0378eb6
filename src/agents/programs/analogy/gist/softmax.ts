import { seededRandom } from '../../../../base/index.ts'

/** What is to be told apart, by the names of what is seen of it. */
export interface Example {
  readonly features: readonly string[]
  readonly label: number
}

const EPOCHS = 30
const RATE = 0.5
/** Pulls weights to nothing, so that what was seen once counts little. */
const DECAY = 2e-3

/**
 * Tells classes apart by a weighted sum of features (multinomial logistic regression, AdaGrad): small,
 * quick to fit, the same for the same examples.
 */
export class Softmax {
  readonly #classes: number
  readonly #ids = new Map<string, number>()
  #weights = new Float32Array(0)

  constructor(examples: readonly Example[], classes: number) {
    this.#classes = classes
    for (const { features } of examples) for (const name of features) this.#id(name)
    this.#weights = new Float32Array(this.#ids.size * classes)
    this.#fit(examples)
  }

  #id(name: string): number {
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    this.#ids.set(name, this.#ids.size)
    return this.#ids.size - 1
  }

  #fit(examples: readonly Example[]): void {
    const random = seededRandom(5)
    const seen = examples.map(({ features, label }) => ({ at: this.#known(features), label }))
    const sums = new Float32Array(this.#weights.length).fill(1e-2)
    const order = seen.map((_, i) => i)
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      for (let i = order.length - 1; i > 0; i--) {
        const j = random.below(i + 1)
        const [a, b] = [order[i] as number, order[j] as number]
        order[i] = b
        order[j] = a
      }
      for (const i of order) {
        const { at, label } = seen[i] as (typeof seen)[number] // a place of the list
        this.#step(at, label, sums)
      }
    }
  }

  #step(at: readonly number[], label: number, sums: Float32Array): void {
    const weights = this.#weights
    const chances = this.#chances(at)
    for (let c = 0; c < this.#classes; c++) {
      const error = (chances[c] as number) - (c === label ? 1 : 0)
      for (const feature of at) {
        const k = feature * this.#classes + c
        const gradient = error + DECAY * (weights[k] as number)
        const sum = (sums[k] as number) + gradient * gradient
        sums[k] = sum
        weights[k] = (weights[k] as number) - (RATE * gradient) / Math.sqrt(sum) / 4
      }
    }
  }

  #known(features: readonly string[]): readonly number[] {
    return [...new Set(features)].flatMap((name) => this.#ids.get(name) ?? [])
  }

  #chances(at: readonly number[]): Float64Array {
    const scores = new Float64Array(this.#classes)
    for (const feature of at) {
      for (let c = 0; c < this.#classes; c++) {
        scores[c] = (scores[c] as number) + (this.#weights[feature * this.#classes + c] as number)
      }
    }
    const most = Math.max(...scores)
    const raised = scores.map((score) => Math.exp(score - most))
    const total = raised.reduce((sum, one) => sum + one, 0)
    return raised.map((one) => one / total)
  }

  /** Natural logarithms of the chances of all classes. */
  logs(features: readonly string[]): Float64Array {
    return this.#chances(this.#known(features)).map((chance) => Math.log(chance + 1e-9))
  }
}
