/** Skills as a tool worker serves them; made by whoever has the tools. */
export interface ToolHost {
  /** Wire names, aliases too. */
  readonly names: readonly string[]
  /** What the skill is, for `/model_details`. */
  details(name: string): object
  /** JSON in, JSON out, as texts so that the spelling of numbers stays; a failure is a reply too. */
  call(name: string, body: string, signal: AbortSignal): Promise<string>
}

/** A chat as a model worker serves it. */
export interface ChatHost {
  /** The name under which it is served. */
  readonly name: string
  /**
   * The answer to a prompt as it grows, without the prompt; each text replaces the one before.
   *
   * @param body  JSON text of the request (`prompt`, `images`, …)
   */
  answer(body: string, signal: AbortSignal): AsyncIterable<string>
}
