import type { Slot, SlotType, TemplatePart } from './template.ts'
import type { Span } from './spans.ts'
import type { Token } from './tokens.ts'

/** The slots found so far in one instruction; equal spans give one slot. */
export class SlotBook {
  readonly tokens: readonly Token[]
  readonly #slots: (Slot & { readonly span: Span })[] = []

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get slots(): readonly Slot[] {
    return this.#slots
  }

  /** The slot over a span, made when there is none; undefined when another slot is in the way. */
  slot(span: Span, type: SlotType, list = false): Slot | undefined {
    const equal = this.#slots.findIndex(
      (slot) => slot.span.start === span.start && slot.span.end === span.end && !slot.optional,
    )
    const known = this.#slots[equal]
    if (known !== undefined) {
      const widened = { ...known, list: known.list && list }
      this.#slots[equal] = widened
      return widened
    }
    const overlaps = this.#slots.some(
      (slot) => span.start < slot.span.end && slot.span.start < span.end,
    )
    if (overlaps) return undefined
    const filler = this.tokens.slice(span.start, span.end)
    return this.#add({ type, filler, list, optional: false, span })
  }

  /** A slot for a comparison that is not said: right before a token, and optional. */
  unsaid(before: number, canon: string): Slot {
    const span = { start: before, end: before }
    const known = this.#slots.find((slot) => slot.optional && slot.span.start === before)
    const filler: readonly Token[] = [{ cls: 'comp', canon, text: '' }]
    return known ?? this.#add({ type: 'comp', filler, list: false, optional: true, span })
  }

  #add(slot: Omit<Slot, 'index'> & { readonly span: Span }): Slot {
    const added = { ...slot, index: this.#slots.length }
    this.#slots.push(added)
    return added
  }

  /** The instruction with slots in place of their spans. */
  parts(): readonly TemplatePart[] {
    const parts: TemplatePart[] = []
    for (let i = 0; i <= this.tokens.length;) {
      const unsaid = this.#slots.find((slot) => slot.optional && slot.span.start === i)
      if (unsaid !== undefined) parts.push({ kind: 'slot', slot: unsaid })
      const slot = this.#slots.find((slot) => !slot.optional && slot.span.start === i)
      const token = this.tokens[i]
      if (slot !== undefined) parts.push({ kind: 'slot', slot })
      else if (token !== undefined) parts.push({ kind: 'fixed', token, repeated: false })
      i = slot === undefined ? i + 1 : slot.span.end
    }
    return parts
  }
}
