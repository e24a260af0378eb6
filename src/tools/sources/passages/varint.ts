/** Whole numbers in as few bytes as they need: seven bits each, the last byte's high bit clear. */
export class VarintWriter {
  #bytes = new Uint8Array(64)
  #length = 0

  push(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let rest = value >>> 0
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  get length(): number {
    return this.#length
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** Reads what `VarintWriter` wrote. */
export function varintReader(bytes: Uint8Array): { next(): number; done(): boolean } {
  let at = 0
  return {
    done: () => at >= bytes.length,
    next: () => {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0
        value |= (byte & 127) << shift
        if (byte < 128) return value >>> 0
      }
    },
  }
}
