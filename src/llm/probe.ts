import { isFault, systemClock, Unavailable } from '../base/index.ts'
import type { Abortable, Clock, Random } from '../base/index.ts'
import { seededRandom } from '../base/index.ts'
import type { Box, Image } from '../image/index.ts'
import { jsonCandidates } from './extract-json.ts'
import type { LanguageModel, ModelCapabilities, ModelRequest, ToolOffer } from './model.ts'
import { boxPicture, numberPicture, PROBE_COLOURS } from './probe-picture.ts'
import type { ProbeColour } from './probe-picture.ts'
import { countTokens } from './tokens.ts'

/** One question to a model and what came of it. */
export interface Probe {
  readonly name: keyof ModelCapabilities
  readonly passed: boolean
  /** One sentence: what was asked, and what came instead if it failed. */
  readonly reason: string
  readonly ms: number
}

export interface ProbeReport {
  readonly model: string
  /** What is known now: what the provider states, corrected by the probes. */
  readonly capabilities: ModelCapabilities
  readonly probes: readonly Probe[]
}

export interface ProbeOptions extends Abortable {
  readonly clock?: Clock
  /** Draws the number and the colour, so that no model can know them. */
  readonly random?: Random
  /** The longest prompt tried, in tokens; default 8,000. It costs about twice as many. */
  readonly contextUpTo?: number
}

type Finding = { passed: boolean; reason: string; learnt: ModelCapabilities }
type Ask = (request: ModelRequest) => Promise<string>

/**
 * What a model can do, by trying: see a picture, also when tools are offered, call a tool, write
 * JSON by a schema, say where a thing is and in which frame, and read to the end of a long prompt.
 *
 * Some ten small requests. The caller keeps the report; a model behind the same name may change.
 *
 * @throws Unavailable when the model does not answer at all: that says nothing about its abilities
 */
export async function probeModel(
  model: LanguageModel,
  options: ProbeOptions = {},
): Promise<ProbeReport> {
  const { clock = systemClock, random = seededRandom(clock.now()), signal } = options
  const ask: Ask = async (request) => {
    const reply = await model.generate({ maxTokens: 300, ...request }, { signal })
    return [
      reply.text,
      ...reply.toolCalls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`),
    ]
      .filter((text) => text !== '')
      .join('\n')
  }
  const probes: Probe[] = []
  let capabilities: ModelCapabilities = model.capabilities
  const tried = async (name: Probe['name'], work: () => Promise<Finding>): Promise<boolean> => {
    const since = clock.tick()
    const { passed, reason, learnt } = await finding(name, work)
    capabilities = { ...capabilities, ...learnt }
    probes.push({ name, passed, reason, ms: clock.tick() - since })
    return passed
  }

  const sees = await tried('vision', () => probeVision(ask, random, []))
  await tried('tools', () => probeTools(model, random, signal))
  if (sees && capabilities.tools === true) {
    await tried('visionWithTools', () => probeVision(ask, random, [LOOK_UP]))
  }
  await tried('json', () => probeJson(ask))
  if (sees) await tried('boxFrame', () => probeBoxFrame(ask))
  await tried('contextTokens', () => probeContext(ask, random, options.contextUpTo ?? 8000))
  return { model: model.id, capabilities, probes }
}

/** A refusal of the request is an answer about the ability; silence is none. */
async function finding(name: Probe['name'], work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    if (!isFault(error) || error instanceof Unavailable || error.kind === 'Bug') throw error
    if (['E_MODEL_KEY', 'E_MODEL_UNKNOWN', 'E_BUDGET'].includes(error.code)) throw error
    const learnt =
      name === 'contextTokens'
        ? {}
        : name === 'boxFrame'
          ? { boxFrame: 'none' as const }
          : { [name]: false }
    return { passed: false, reason: `refused: ${error.message}`, learnt }
  }
}

const LOOK_UP: ToolOffer = {
  name: 'look_up',
  about: 'Looks up a word in a dictionary.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
}

function showing(image: Image, text: string, tools: readonly ToolOffer[] = []): ModelRequest {
  const content = [{ type: 'image', image } as const, { type: 'text', text } as const]
  return { messages: [{ role: 'user', content }], ...(tools.length === 0 ? {} : { tools }) }
}

async function probeVision(
  ask: Ask,
  random: Random,
  tools: readonly ToolOffer[],
): Promise<Finding> {
  const number = String(100 + random.below(900))
  const colours = Object.keys(PROBE_COLOURS) as ProbeColour[]
  const colour = colours[random.below(colours.length)] ?? 'red'
  const image = await numberPicture(number, colour)
  const question =
    'Which number stands in this picture, and which colour is behind it? Answer with both.'
  const reply = await ask(showing(image, question, tools))
  const passed = reply.includes(number) && reply.toLowerCase().includes(colour)
  const name = tools.length === 0 ? 'vision' : 'visionWithTools'
  const reason = `shown ${number} on ${colour}, it said ${quoted(reply)}`
  return { passed, reason, learnt: { [name]: passed } }
}

async function probeTools(
  model: LanguageModel,
  random: Random,
  signal: AbortSignal | undefined,
): Promise<Finding> {
  const word = `zor${random.below(1000)}`
  const content = `Look up the word "${word}" with the tool look_up.`
  const request = {
    messages: [{ role: 'user', content }],
    tools: [LOOK_UP],
    maxTokens: 300,
  } as const
  const { toolCalls, text } = await model.generate(request, { signal })
  const call = toolCalls.find(({ name }) => name === LOOK_UP.name)
  const passed = (call?.args as { word?: unknown } | undefined)?.word === word
  const said = call === undefined ? quoted(text) : `look_up(${JSON.stringify(call.args)})`
  const reason = `asked to call look_up("${word}"), it gave ${said}`
  return { passed, reason, learnt: { tools: passed } }
}

async function probeJson(ask: Ask): Promise<Finding> {
  const json = {
    type: 'object',
    properties: { animal: { type: 'string' }, legs: { type: 'integer' } },
    required: ['animal', 'legs'],
    additionalProperties: false,
  }
  const content = 'Describe a spider: the animal and how many legs it has.'
  const reply = await ask({
    messages: [{ role: 'user', content }],
    schema: { name: 'animal', json },
  })
  const passed = isAnimal(parsed(reply))
  return {
    passed,
    reason: `asked for JSON by a schema, it gave ${quoted(reply)}`,
    learnt: { json: passed },
  }
}

function isAnimal(value: unknown): boolean {
  const { animal, legs } = (value ?? {}) as { animal?: unknown; legs?: unknown }
  return typeof animal === 'string' && Number.isInteger(legs)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const FRAMES = ['pixels', 'relative-1000', 'relative-1'] as const

async function probeBoxFrame(ask: Ask): Promise<Finding> {
  const { iou } = await import('../image/index.ts')
  const { image, box } = await boxPicture()
  const question =
    `This picture is ${image.width} pixels wide and ${image.height} pixels high. ` +
    'Where is the red box? Answer with its corners as a JSON list [x1, y1, x2, y2] and nothing else.'
  const reply = await ask(showing(image, question))
  const found = firstBox(reply)
  const fits =
    found === undefined
      ? []
      : FRAMES.map((frame) => ({ frame, overlap: overlapIn(found, frame, image, box, iou) }))
  const best = fits.sort((a, b) => b.overlap - a.overlap)[0]
  const passed = best !== undefined && best.overlap >= 0.5
  const reason = `the box is at [${box.join(', ')}] of ${image.width} x ${image.height}, it said ${quoted(reply)}`
  return { passed, reason, learnt: { boxFrame: passed ? best.frame : 'none' } }
}

function firstBox(reply: string): Box | undefined {
  const lists = jsonCandidates(reply).flatMap((value) => [
    value,
    ...(Array.isArray(value) ? value : []),
  ])
  return lists.find((value): value is Box => {
    return Array.isArray(value) && value.length === 4 && value.every((n) => typeof n === 'number')
  })
}

function overlapIn(
  [x1, y1, x2, y2]: Box,
  frame: (typeof FRAMES)[number],
  { width, height }: Image,
  truth: Box,
  iou: (a: Box, b: Box) => number,
): number {
  const span = { pixels: undefined, 'relative-1000': 1000, 'relative-1': 1 }[frame]
  const [sx, sy] = span === undefined ? [1, 1] : [width / span, height / span]
  return iou([x1 * sx, y1 * sy, x2 * sx, y2 * sy], truth)
}

/** Some servers cut the start of a long prompt without saying so; what stood there is then unknown. */
async function probeContext(ask: Ask, random: Random, upTo: number): Promise<Finding> {
  let read = 0
  let reason = `no prompt within ${upTo} tokens was tried`
  for (let tokens = Math.min(2000, upTo); tokens <= upTo; tokens *= 2) {
    const secret = String(10000 + random.below(90000))
    const { content, size } = await longPrompt(secret, tokens)
    const reply = await ask({ messages: [{ role: 'user', content }], maxTokens: 50 })
    if (!reply.includes(secret)) {
      reason = `of a prompt of ${size} tokens it did not know the start: ${quoted(reply)}`
      break
    }
    read = size
    reason = `it knew the start of a prompt of ${size} tokens`
  }
  const passed = read > 0
  return { passed, reason, learnt: passed ? { contextTokens: read } : {} }
}

async function longPrompt(
  secret: string,
  tokens: number,
): Promise<{ content: string; size: number }> {
  const line = 'The sky over the harbour was grey, and the boats came in one after another.\n'
  const lines = Math.max(1, Math.floor(tokens / (await countTokens(line))))
  const content =
    `Remember the number ${secret}.\n${line.repeat(lines)}` +
    'Which number were you told to remember? Answer with the number only.'
  return { content, size: await countTokens(content) }
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === ''
    ? 'nothing'
    : JSON.stringify(line.length > 80 ? `${line.slice(0, 77)}...` : line)
}
