import { access, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deepFreeze, UserFault } from '../base/index.ts'
import type { Config, ResolvedConfig, ResolveOptions, SourcesConfig, UserConfig } from './config.ts'
import { checkLayer } from './config-schema.ts'
import type { Environment } from './environment.ts'
import { defaultFolders } from './folders.ts'

const FILES = ['ts', 'mts', 'mjs', 'js', 'json'].map((ending) => `pupil.config.${ending}`)

interface Layer {
  /** What `origins` says of its values: one text, or by key. */
  readonly origin: string | ((path: string) => string)
  readonly values: UserConfig
}

/** Puts the layers on each other, weakest first, and remembers which one had the last word. */
export async function resolveLayers(options: ResolveOptions): Promise<ResolvedConfig> {
  const { env = {}, cwd = process.cwd(), flags = {} } = options
  const file = options.file === undefined ? await findProject(cwd) : resolve(cwd, options.file)
  const folders = await defaultFolders(env, file === undefined ? undefined : dirname(file))
  const userFile = await firstThere(folders.config, ['config.ts', 'config.mjs', 'config.json'])
  const layers: Layer[] = [
    { origin: 'default', values: DEFAULTS },
    { origin: folders.origin, values: { data: folders.data, cache: folders.cache } },
    ...(userFile === undefined ? [] : [await fileLayer(userFile)]),
    ...(file === undefined ? [] : [await fileLayer(file)]),
    environmentLayer(env),
    { origin: (path) => `flag --${path.split('.').at(-1)}`, values: checkLayer(flags, 'flags') },
  ]
  const { values, origins } = merge(layers)
  const given = values as unknown as Config
  const data = absolute(given.data, cwd)
  const store = given.store ?? join(data, 'pupil.db')
  const config: Config = {
    ...given,
    data,
    cache: absolute(given.cache, cwd),
    store: /^[a-z]+:\/\/|^:memory:$/.test(store) ? store : absolute(store, cwd),
  }
  if (given.store === undefined) origins.store = origins.data ?? 'default'
  return deepFreeze({ config, origins, ...(file === undefined ? {} : { file }) })
}

const DEFAULTS: UserConfig = {
  space: 'home',
  profile: 'photo',
  models: {},
  providers: {},
  prices: {},
  replyCache: true,
  budget: {},
  limits: { pixels: 120e6, bytes: 64 * 2 ** 20, steps: 500, stepSeconds: 60, runSeconds: 300 },
  tools: {},
  server: { host: '127.0.0.1', port: 4173 },
  sources: {},
  workers: {},
  toolServers: {},
  learning: { workers: 1, memory: 1500 },
  seed: 1,
}

/** Variables and the setting each stands for. */
const VARIABLES: readonly (readonly [name: string, path: string, kind: 'text' | 'number'])[] = [
  ['PUPIL_DATA', 'data', 'text'],
  ['PUPIL_CACHE', 'cache', 'text'],
  ['PUPIL_STORE', 'store', 'text'],
  ['PUPIL_SPACE', 'space', 'text'],
  ['PUPIL_PROFILE', 'profile', 'text'],
  ['PUPIL_SEED', 'seed', 'number'],
  ['PUPIL_PLANNER', 'models.planner', 'text'],
  ['PUPIL_CHAT', 'models.chat', 'text'],
  ['PUPIL_VQA', 'models.vqa', 'text'],
  ['PUPIL_LIST', 'models.list', 'text'],
  ['PUPIL_CAPTION', 'models.caption', 'text'],
  ['PUPIL_GENERATOR', 'models.generator', 'text'],
  ['PORT', 'server.port', 'number'],
  ['HOST', 'server.host', 'text'],
]

function environmentLayer(env: Environment): Layer {
  const names = new Map<string, string>()
  let values: UserConfig = {}
  for (const [name, path, kind] of VARIABLES) {
    const text = env[name]
    if (text === undefined || text === '') continue
    names.set(path, name)
    const one = nested(path, kind === 'number' && text.trim() !== '' ? Number(text) : text)
    values = merge([
      { origin: name, values },
      { origin: name, values: checkLayer(one, name) },
    ]).values
  }
  return { origin: (path) => names.get(path) ?? 'environment', values }
}

function nested(path: string, value: unknown): object {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object
}

/** The nearest configuration file from `from` upwards; a package.json counts when it has a `pupil` key. */
async function findProject(from: string): Promise<string | undefined> {
  const found = await firstThere(from, FILES)
  if (found !== undefined) return found
  const manifest = join(from, 'package.json')
  if (await hasKey(manifest)) return manifest
  const above = dirname(from)
  return above === from || from === homedir() ? undefined : findProject(above)
}

async function hasKey(manifest: string): Promise<boolean> {
  const text = await readFile(manifest, 'utf8').catch(() => '{}')
  return (
    text.includes('"pupil"') &&
    (parseJson(text, manifest) as { pupil?: unknown }).pupil instanceof Object
  )
}

async function firstThere(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const path = join(folder, name)
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return undefined
}

/** What a file says. JSON is read as it is; TypeScript and JavaScript are imported by Node itself. */
async function fileLayer(path: string): Promise<Layer> {
  const folder = dirname(path)
  const values = checkLayer(await readConfigFile(path), path)
  // Folders in a file are meant from where the file is.
  const { data, cache, store } = values
  const placed = {
    ...(data === undefined ? {} : { data: absolute(data, folder) }),
    ...(cache === undefined ? {} : { cache: absolute(cache, folder) }),
    ...(store === undefined || /^[a-z]+:\/\/|^:memory:$/.test(store)
      ? {}
      : { store: absolute(store, folder) }),
    ...(values.toolServers === undefined
      ? {}
      : { toolServers: placedServers(values.toolServers, folder) }),
    ...(values.sources === undefined ? {} : { sources: placedSources(values.sources, folder) }),
  }
  return { origin: path, values: { ...values, ...placed } }
}

function placedSources(sources: SourcesConfig, folder: string): SourcesConfig {
  const { documents, pictureFolder } = sources
  return {
    ...sources,
    ...(documents === undefined ? {} : { documents: absolute(documents, folder) }),
    ...(pictureFolder === undefined ? {} : { pictureFolder: absolute(pictureFolder, folder) }),
  }
}

function placedServers(
  servers: NonNullable<UserConfig['toolServers']>,
  folder: string,
): NonNullable<UserConfig['toolServers']> {
  const placed = Object.entries(servers).map(([name, { cwd = folder, ...server }]) => [
    name,
    server.command === undefined ? server : { ...server, cwd: absolute(cwd, folder) },
  ])
  return Object.fromEntries(placed) as NonNullable<UserConfig['toolServers']>
}

async function readConfigFile(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new UserFault('E_CONFIG', `The configuration ${path} cannot be read.`, {
      fields: { path },
      cure: 'Check the path given with --config.',
      cause,
    })
  }
  if (path.endsWith('package.json')) return (parseJson(text, path) as { pupil: unknown }).pupil
  if (path.endsWith('.json')) return parseJson(text, path)
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
    return module.default
  } catch (cause) {
    throw new UserFault('E_CONFIG', `${path} cannot be run: ${(cause as Error).message}`, {
      fields: { path },
      cure: 'It must export default an object, such as defineConfig({ space: "home" }).',
      cause,
    })
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserFault('E_CONFIG', `${path} is not JSON: ${(cause as Error).message}.`, {
      fields: { path },
      cause,
    })
  }
}

function merge(layers: readonly Layer[]): { values: UserConfig; origins: Record<string, string> } {
  const origins: Record<string, string> = {}
  let values: Record<string, unknown> = {}
  for (const layer of layers) {
    values = mergeInto(values, layer.values as Record<string, unknown>, (path) => {
      origins[path] = typeof layer.origin === 'string' ? layer.origin : layer.origin(path)
    })
  }
  return { values: values as UserConfig, origins }
}

function mergeInto(
  under: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
  note: (path: string) => void,
  prefix = '',
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue
    const path = `${prefix}${key}`
    if (isPlain(value)) {
      const below = isPlain(result[key]) ? result[key] : {}
      result[key] = mergeInto(below, value, note, `${path}.`)
    } else {
      result[key] = value
      note(path)
    }
  }
  return result
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function absolute(path: string, from: string): string {
  const open = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
  return isAbsolute(open) ? open : resolve(from, open)
}
