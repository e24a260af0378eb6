import type { Header, Loop } from './parse-header.ts'
import type { Scanner } from './scanner.ts'
import type { ArmNode, Span, Statement, StringNode } from './syntax.ts'

const MAX_DEPTH = 3

interface OpenArm {
  readonly condition: StringNode | null
  readonly body: Statement[]
  readonly broken: boolean
  readonly at: Span
}

type Open =
  | { readonly kind: 'if'; readonly at: Span; readonly arms: OpenArm[]; readonly current: OpenArm }
  | {
      readonly kind: 'for'
      readonly at: Span
      readonly loop: Loop
      readonly broken: boolean
      readonly body: Statement[]
    }

/** The blocks that are open while parsing; builds the tree. */
export class Blocks {
  readonly #scan: Scanner
  readonly #body: Statement[] = []
  readonly #stack: Open[] = []

  constructor(scan: Scanner) {
    this.#scan = scan
  }

  add(statement: Statement): void {
    const top = this.#stack.at(-1)
    if (top === undefined) this.#body.push(statement)
    else if (top.kind === 'for') top.body.push(statement)
    else top.current.body.push(statement)
  }

  header(header: Header): void {
    switch (header.kind) {
      case 'if': {
        const arm = newArm(header, header.condition)
        return this.#open({ kind: 'if', at: header.at, arms: [arm], current: arm })
      }
      case 'for':
        return this.#open({ ...header, body: [] })
      case 'elif':
        return this.#arm(newArm(header, header.condition))
      case 'else':
        return this.#arm(newArm(header, null))
      case 'end':
        if (this.#stack.length === 0) return this.#fault('"end" without an open block', header.at)
        return this.#close()
      default:
        return header satisfies never
    }
  }

  /** Closes what is still open and gives the whole body. */
  close(): readonly Statement[] {
    while (this.#stack.length > 0) {
      const top = this.#stack.at(-1)
      if (top !== undefined) this.#fault(`a block without its "end"`, top.at)
      this.#close()
    }
    return Object.freeze(this.#body)
  }

  #open(block: Open): void {
    this.#stack.push(block)
    if (this.#stack.length === MAX_DEPTH + 1) {
      this.#fault(`blocks nested deeper than ${MAX_DEPTH}`, block.at)
    }
  }

  #arm(arm: OpenArm): void {
    const top = this.#stack.at(-1)
    const word = arm.condition === null ? 'else' : 'elif'
    if (top?.kind !== 'if') return this.#fault(`"${word}" without an open "if"`, arm.at)
    if (top.current.condition === null) this.#fault(`"${word}" after "else"`, arm.at)
    this.#stack[this.#stack.length - 1] = { ...top, arms: [...top.arms, arm], current: arm }
  }

  #close(): void {
    const top = this.#stack.pop()
    if (top === undefined) return
    this.add(
      top.kind === 'for'
        ? Object.freeze({
            type: 'for',
            ...top.loop,
            body: Object.freeze(top.body),
            broken: top.broken,
            at: top.at,
          })
        : Object.freeze({ type: 'if', arms: Object.freeze(top.arms.map(frozenArm)), at: top.at }),
    )
  }

  #fault(message: string, at: Span): void {
    this.#scan.report('P_BLOCK', message, at, 'Each if and for closes with its own end.')
  }
}

function newArm(header: Header, condition: StringNode | null): OpenArm {
  return { condition, body: [], broken: header.broken, at: header.at }
}

function frozenArm(arm: OpenArm): ArmNode {
  return Object.freeze({ ...arm, body: Object.freeze(arm.body) })
}
