import type { Header, Loop } from './parse-header.ts'
import type { Scanner } from './scanner.ts'
import type { ArmNode, BrokenNode, Ident, Span, Statement, StringNode } from './syntax.ts'

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
  /** Open blocks beyond the depth allowed; they are reported and their lines kept flat. */
  #excess = 0

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
    if (this.#excess > 0 && header.kind !== 'if' && header.kind !== 'for') {
      if (header.kind === 'end') this.#excess--
      return
    }
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
    if (this.#stack.length < MAX_DEPTH) return void this.#stack.push(block)
    if (this.#excess === 0) this.#fault(`blocks nested deeper than ${MAX_DEPTH}`, block.at)
    this.#excess++
    if (block.kind === 'for') for (const name of namesOf(block.loop)) this.add(known(name))
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

/** The variables that a loop sets. */
function namesOf({ item, carries, gathers }: Loop): readonly Ident[] {
  return [item, ...carries.map((one) => one.name), ...gathers.map((one) => one.into)]
}

/** A line of which only the name it sets is known. */
function known(name: Ident): BrokenNode {
  return Object.freeze({ type: 'broken', number: null, name, tool: null, words: [], at: name.at })
}
