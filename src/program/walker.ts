import { errorData, ModelFault } from '../base/index.ts'
import { bind, Cell, HALT, lookup, stateFor } from './cell.ts'
import type { Environment } from './cell.ts'
import type { Catalogue } from './catalogue.ts'
import { evaluateCondition } from './evaluate.ts'
import { expressionUses } from './expression-syntax.ts'
import { isList, kindName, kindOf } from './kind.ts'
import { parseExpression } from './parse-expression.ts'
import { failedStep, placed, runStep } from './run-step.ts'
import type { Execution, StepContext } from './run-step.ts'
import type { StepQueue } from './step-queue.ts'
import { planStep } from './step-plan.ts'
import type { StepPlan } from './step-plan.ts'
import type { CallStep, Notice } from './step.ts'
import type { ArmNode, ForNode, IfNode, Statement, StepNode } from './syntax.ts'
import type { Value } from './value.ts'

type Path = CallStep['path']

const DEFAULT_LIMIT = 20

/**
 * Goes through a program in the order of its text. A step is started and not waited for; a condition
 * or a loop waits for the variables it reads.
 */
export class Walker {
  readonly queue: StepQueue
  readonly context: StepContext
  readonly #tools: Catalogue
  readonly #plans = new Map<StepNode, StepPlan>()
  readonly #running = new Map<number, Execution>()
  /** Told with the next step. */
  #notices: Notice[] = []

  constructor(queue: StepQueue, context: StepContext, tools: Catalogue) {
    this.queue = queue
    this.context = context
    this.#tools = tools
  }

  async walk(body: readonly Statement[], start: Environment | null): Promise<void> {
    try {
      await this.#body(body, start, [])
      this.queue.close()
    } catch (error) {
      if (error !== HALT) this.queue.crash(error)
    }
  }

  /** Ends the run now; the first step still running is recorded with `error`. */
  cut(error: Error): void {
    const { context } = this
    this.queue.cut(errorData(error), (slot) => {
      const execution = this.#running.get(slot.index)
      const timing = { start: context.clock.now(), tick: context.clock.tick() }
      return execution && failedStep(context, execution, timing, [], error)
    })
  }

  async #body(
    body: readonly Statement[],
    environment: Environment | null,
    path: Path,
  ): Promise<Environment | null> {
    let at = environment
    for (const statement of body) {
      if (this.queue.halted) throw HALT
      switch (statement.type) {
        case 'step':
          at = this.#start(statement, at, path)
          break
        case 'if':
          at = await this.#if(statement, at, path)
          break
        case 'for':
          at = await this.#for(statement, at, path)
          break
        case 'broken':
          break // a program with such a line never starts
        default:
          statement satisfies never
      }
    }
    return at
  }

  /** Starts a step; gives the variables with the one it will set. */
  #start(node: StepNode, environment: Environment | null, path: Path): Environment {
    const { queue, context } = this
    if (queue.size >= context.limits.steps) {
      this.#fail(
        new ModelFault('X_LIMIT', `more than ${context.limits.steps} steps`, {
          cure: 'Loop over fewer items.',
        }),
        node.at.line,
      )
    }
    const cell = new Cell()
    const after = bind(environment, node.name.name, cell)
    const slot = queue.open(cell, after)
    const notices = this.#notices
    this.#notices = []
    const execution = { plan: this.#plan(node), slot, path, environment, notices }
    this.#running.set(slot.index, execution)
    void this.#execute(execution)
    return after
  }

  async #execute(execution: Execution): Promise<void> {
    const { slot } = execution
    try {
      const step = await runStep(this.context, execution)
      if (step.result === undefined) slot.cell.halt()
      else slot.cell.set(step.result)
      this.queue.settle(slot, step)
    } catch (error) {
      slot.cell.halt()
      if (error !== HALT) this.queue.crash(error)
    } finally {
      this.#running.delete(slot.index)
    }
  }

  #plan(node: StepNode): StepPlan {
    const known = this.#plans.get(node) ?? planStep(node, this.#tools)
    this.#plans.set(node, known)
    return known
  }

  /** Ends the run because of something that is no step. */
  #fail(error: unknown, line: number): never {
    this.queue.failHere(placed(errorData(error), { line }))
    throw HALT
  }

  async #if(
    block: IfNode,
    environment: Environment | null,
    path: Path,
  ): Promise<Environment | null> {
    for (const arm of block.arms) {
      if (await this.#holds(arm, environment)) return this.#body(arm.body, environment, path)
    }
    return environment
  }

  async #holds(arm: ArmNode, environment: Environment | null): Promise<boolean> {
    if (arm.condition === null) return true
    const { text } = arm.condition
    const { line } = arm.at
    const names = expressionUses(parseExpression(text)).map((use) => use.name)
    const state = await stateFor(environment, names)
    try {
      return evaluateCondition(text, state, { where: `if, line ${line}` })
    } catch (error) {
      return this.#fail(error, line)
    }
  }

  async #for(block: ForNode, outer: Environment | null, path: Path): Promise<Environment | null> {
    const items = await this.#items(block, outer)
    const gathered = block.gathers.map((): Cell[] => [])
    let carried = block.carries.map(({ from }) => need(outer, from.name))
    for (const [item, value] of items.entries()) {
      let inner: Environment | null = bind(outer, block.item.name, Cell.of(value))
      block.carries.forEach(({ name }, i) => {
        inner = bind(inner, name.name, carried[i] ?? new Cell())
      })
      const end = await this.#body(block.body, inner, [...path, { loop: block.item.name, item }])
      carried = block.carries.map(({ name }) => need(end, name.name))
      block.gathers.forEach((gather, i) => gathered[i]?.push(need(end, gather.item.name)))
    }
    let after = outer
    block.carries.forEach(({ name }, i) => {
      after = bind(after, name.name, carried[i] ?? new Cell())
    })
    block.gathers.forEach(({ into }, i) => {
      after = bind(after, into.name, Cell.all(gathered[i] ?? []))
    })
    return after
  }

  async #items(block: ForNode, environment: Environment | null): Promise<readonly Value[]> {
    const { list, limit } = block
    const value = await need(environment, list.name).promise
    if (!isList(value)) {
      const found = `${kindName(kindOf(value))} ${list.name}`
      this.#fail(
        new ModelFault('C_TYPE', `expected a list for "for", found ${found}`),
        block.at.line,
      )
    }
    const most = limit?.value ?? DEFAULT_LIMIT
    if (value.length > most) {
      const message = `only the first ${most} of ${value.length} items of ${list.name} (line ${block.at.line})`
      this.#notices.push({ code: 'N_LIMIT', message })
    }
    return value.slice(0, most)
  }
}

function need(environment: Environment | null, name: string): Cell {
  const cell = lookup(environment, name)
  if (cell !== undefined) return cell
  throw new TypeError(`${name} is not defined in a checked program`)
}
