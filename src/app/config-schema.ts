import { z } from 'zod'
import { nearestNames, shown, UserFault } from '../base/index.ts'
import type { UserConfig } from './config.ts'
import { PROFILES } from './profile.ts'
import type { Profile } from './profile.ts'

const count = z.number().int().nonnegative()
const amount = z.number().nonnegative()
const folder = z.string().min(1)
const modelId = z
  .string()
  .regex(/^[^/\s]+\/\S.*$/, { error: 'expected provider/model, such as ollama/qwen3:4b' })
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'expected the name of a variable, not a key itself' })

const provider = z.strictObject({
  baseURL: z.url().optional(),
  apiKeyEnv: variable.optional(),
})

const toolServer = z
  .strictObject({
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    cwd: folder.optional(),
    passEnv: z.array(variable).optional(),
    url: z.url({ protocol: /^https?$/, error: 'expected an http or https address' }).optional(),
    tokenEnv: variable.optional(),
    allow: z
      .array(z.string().min(1))
      .min(1, { error: 'expected the names of the tools that may join' }),
    families: z.array(z.string().min(1)).optional(),
    pictures: z.record(z.string(), z.record(z.string(), z.enum(['base64', 'data-url']))).optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'expected either a command or a url',
  })

const schema = z.strictObject({
  data: folder.optional(),
  cache: folder.optional(),
  store: z.string().min(1).optional(),
  space: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { error: 'expected a short name in lower case' })
    .optional(),
  profile: z
    .enum(PROFILES as [Profile, ...Profile[]], { error: `expected ${PROFILES.join(', ')}` })
    .optional(),
  models: z
    .strictObject({
      planner: modelId.optional(),
      chat: modelId.optional(),
      vqa: modelId.optional(),
      list: modelId.optional(),
      caption: modelId.optional(),
      generator: modelId.optional(),
      embedder: modelId.optional(),
    })
    .optional(),
  providers: z.record(z.string().regex(/^[^/\s]+$/), provider).optional(),
  prices: z.record(modelId, z.strictObject({ input: amount, output: amount })).optional(),
  replyCache: z.boolean().optional(),
  budget: z
    .strictObject({
      calls: count.optional(),
      tokens: count.optional(),
      seconds: amount.optional(),
      money: amount.optional(),
      pictures: count.optional(),
    })
    .optional(),
  limits: z
    .strictObject({
      pixels: count.min(1).optional(),
      bytes: count.min(1).optional(),
      steps: count.min(1).max(100_000).optional(),
      stepSeconds: amount.optional(),
      runSeconds: amount.optional(),
    })
    .optional(),
  tools: z
    .strictObject({
      locOverlap: amount.max(1).optional(),
      cropScale: amount.optional(),
      faceThreshold: amount.max(1).optional(),
      faceOverlap: amount.max(1).optional(),
      faceGrow: amount.optional(),
      blurSigma: amount.optional(),
      blurEdge: amount.optional(),
      replaceGrow: amount.optional(),
      replaceFeather: amount.optional(),
      replaceSteps: count.optional(),
      replaceGuidance: amount.optional(),
      tagWidth: count.optional(),
    })
    .optional(),
  server: z
    .strictObject({ host: z.string().min(1).optional(), port: count.max(65_535).optional() })
    .optional(),
  sources: z
    .strictObject({
      documents: folder.optional(),
      contact: z.string().min(3).optional(),
      language: z
        .string()
        .regex(/^[a-z]{2,3}(?:-[a-z]+)*$/, { error: 'expected a language such as en' })
        .optional(),
      searxng: z.url().optional(),
      kiwix: z.url().optional(),
      kiwixBook: z.string().min(1).optional(),
      braveKeyEnv: variable.optional(),
      bravePrice: amount.optional(),
      cloudVisionKeyEnv: variable.optional(),
      cloudVisionPrice: amount.optional(),
      serpapiKeyEnv: variable.optional(),
      serpapiPrice: amount.optional(),
      pictureFolder: folder.optional(),
      world: z.boolean().optional(),
      commons: z.boolean().optional(),
      openverse: z.boolean().optional(),
      pictures: z
        .enum(['never', 'ask', 'always'], { error: 'expected never, ask or always' })
        .optional(),
    })
    .optional(),
  workers: z
    .strictObject({
      controller: z.url().optional(),
      addresses: z.record(z.string().min(1), z.url()).optional(),
      prefer: z.array(z.string().min(1)).optional(),
      chat: z.string().min(1).optional(),
    })
    .optional(),
  toolServers: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, { error: 'expected a short name in lower case' }),
      toolServer,
    )
    .optional(),
  learning: z
    .strictObject({
      workers: count.max(64).optional(),
      memory: count.min(256).optional(),
      steps: count.min(1).optional(),
      pictures: count.min(1).optional(),
    })
    .optional(),
  seed: count.optional(),
})

/**
 * What a layer says, checked.
 *
 * @param origin  the file or variable that said it, for the error
 * @throws UserFault `E_CONFIG`
 */
export function checkLayer(value: unknown, origin: string): UserConfig {
  const result = schema.safeParse(value)
  if (result.success) return result.data satisfies UserConfig
  const issue = result.error.issues[0] as z.core.$ZodIssue
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') throw unknownKey(issue.keys[0] ?? '', path, origin)
  const got = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown>)?.[key],
    value,
  )
  const where = path === '' ? '' : ` for ${path}`
  const what = issue.message.startsWith('expected') ? issue.message : `expected ${wanted(issue)}`
  throw new UserFault('E_CONFIG', `${origin}: ${what}${where}, but got ${shown(got)}.`, {
    fields: { origin, path, got: shown(got) },
  })
}

function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : `a value of type ${issue.expected}`
    case 'too_small':
      return `at least ${issue.minimum}`
    case 'too_big':
      return `at most ${issue.maximum}`
    default:
      return `something else (${issue.message})`
  }
}

function unknownKey(key: string, path: string, origin: string): UserFault {
  const known = keysAt(path)
  const near = nearestNames(key, known)
  const full = path === '' ? key : `${path}.${key}`
  return new UserFault('E_CONFIG', `${origin}: unknown key "${full}".`, {
    fields: { origin, path: full, known },
    cure:
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known keys: ${known.join(', ')}.`,
  })
}

function keysAt(path: string): readonly string[] {
  if (path === '') return Object.keys(schema.shape)
  const [head = ''] = path.split('.')
  if (head === 'providers') return Object.keys(provider.shape)
  if (head === 'toolServers') return Object.keys(toolServer.shape)
  const inner = schema.shape[head as keyof typeof schema.shape].unwrap()
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}
