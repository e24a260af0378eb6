import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Pupil } from '../../app/index.ts'

export interface McpOptions {
  /** Lets pictures be given as paths of files; for servers that run as the user who asks (stdio). */
  readonly files: boolean
}

/** What a tool works with. */
export interface ToolCall extends McpOptions {
  readonly pupil: Pupil
  readonly signal: AbortSignal
  /** Tells what is going on; heard only where the client asked for progress. */
  readonly tell: (text: string) => void
}

/** A tool as data: what clients and models read about it, what it takes, what it does. */
export interface ToolEntry<Input = unknown> {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly input: z.ZodType<Input>
  readonly output?: z.ZodType
  readonly hints: ToolAnnotations
  run(input: Input, call: ToolCall): Promise<CallToolResult>
}

/** An entry whose input's type is known only to itself. */
export function toolEntry<Input>(entry: ToolEntry<Input>): ToolEntry {
  return entry as unknown as ToolEntry
}

/** Looks only: nothing but the record of the run is added. */
export const LOOKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Makes something new; what was there stays. */
export const MAKES: ToolAnnotations = { ...LOOKS, readOnlyHint: false }

/** Changes how later answers come out; clients ask their user first. */
export const CHANGES: ToolAnnotations = {
  ...LOOKS,
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
}
