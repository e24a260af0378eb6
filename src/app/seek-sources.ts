import { join } from 'node:path'
import type { Abortable, Clock, Progress } from '../base/index.ts'
import type { Permission } from '../agents/index.ts'
import {
  brave,
  cloudVision,
  documentsSource,
  guardedFetch,
  kiwix,
  openPage,
  openWordnet,
  searxng,
  wikidata,
  wikimediaClient,
  wikipedia,
  wordnetFacts,
} from '../tools/index.ts'
import type { SourceProvider } from '../tools/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { joinedSources } from './joined-sources.ts'
import { lazy } from './lazy.ts'
import { version } from './version.ts'

export interface SeekSources {
  /** Those of one run, without those that need a network when it is offline. */
  providers(offline: boolean): readonly SourceProvider[]
  /** What was configured but cannot be used now, and why. */
  problems(options?: Abortable): Promise<readonly string[]>
  /** What each remote one may be sent. */
  permissions(sendPictures: boolean): Readonly<Record<string, Permission>>
  close(): Promise<void>
}

export interface SeekSourcesSetup {
  readonly config: Pick<Config, 'sources' | 'cache'>
  readonly env: Environment
  readonly clock: Clock
  readonly progress: Progress
}

/** The sources of the configuration; WordNet always. Nothing is opened before it is asked. */
export function openSeekSources(setup: SeekSourcesSetup): SeekSources {
  const { config, clock, progress } = setup
  const { documents, kiwix: kiwixUrl, kiwixBook } = config.sources
  const index = join(config.cache, 'documents')
  const own =
    documents === undefined
      ? undefined
      : documentsSource({ folder: documents, index: indexFolder(index, documents), progress })
  const local: readonly SourceProvider[] = [
    ...(own === undefined ? [] : [own]),
    wordnetFacts(lazy(() => openWordnet())),
    ...(kiwixUrl === undefined
      ? []
      : [kiwix({ url: kiwixUrl, clock, ...(kiwixBook === undefined ? {} : { book: kiwixBook }) })]),
  ]
  const remote = remoteSources(setup)
  const all = [...local, ...remote.providers]
  const providers = (offline: boolean): readonly SourceProvider[] => {
    const usable = all.filter((one) => !offline || !one.needsNetwork)
    const lookups = usable.filter(({ tool }) => tool === 'kb_lookup')
    return [...joinedSources(lookups), ...usable.filter(({ tool }) => tool !== 'kb_lookup')]
  }
  return {
    providers,
    problems: async () => {
      const told = await Promise.all(all.map((one) => one.probe()))
      return [...remote.problems, ...told.filter((one) => one !== null)]
    },
    permissions: (sendPictures) => {
      const pictures = sendPictures || config.sources.pictures === 'always'
      const allowed = providers(false).filter(({ sends }) => sends !== 'image' || pictures)
      return Object.fromEntries(allowed.map(({ id }) => [id, 'always' as const]))
    },
    close: async () => own?.close(),
  }
}

/** One index for each folder, so that changing the setting does not build over another's. */
function indexFolder(base: string, folder: string): string {
  return join(base, Buffer.from(folder).toString('base64url').slice(-80))
}

/** Services that were set up: Wikimedia with a contact, the others with an address or a key. */
function remoteSources({ config, env, clock }: SeekSourcesSetup): {
  readonly providers: readonly SourceProvider[]
  readonly problems: readonly string[]
} {
  const { contact, searxng: searxngUrl } = config.sources
  const { language, braveKeyEnv, bravePrice } = config.sources
  const { cloudVisionKeyEnv, cloudVisionPrice } = config.sources
  const spoken = language === undefined ? {} : { language }
  const [braveKey, visionKey] = [braveKeyEnv, cloudVisionKeyEnv].map((name) =>
    name === undefined ? '' : (env[name] ?? ''),
  ) as [string, string]
  const wiki = { clock, ...spoken, ...(contact === undefined ? {} : { contact }) }
  const client = wikimediaClient(wiki)
  const web = [
    ...(searxngUrl === undefined ? [] : [searxng({ url: searxngUrl, clock, ...spoken })]),
    ...(braveKey === ''
      ? []
      : [brave({ key: braveKey, clock, ...spoken, ...priceOf(bravePrice) })]),
  ]
  const encyclopaedias =
    contact === undefined ? [] : [wikipedia(wiki, client), wikidata(wiki, client)]
  const userAgent = `Pupil/${version} (${contact ?? 'a reader of its own searches'})`
  return {
    providers: [
      ...encyclopaedias,
      ...web,
      ...(web.length + encyclopaedias.length === 0
        ? []
        : [openPage({ fetch: guardedFetch({ userAgent }) })]),
      ...(visionKey === ''
        ? []
        : [cloudVision({ key: visionKey, clock, ...priceOf(cloudVisionPrice) })]),
    ],
    problems: [braveKeyEnv, cloudVisionKeyEnv].flatMap((name) =>
      name === undefined || (env[name] ?? '') !== '' ? [] : [`The variable ${name} is not set.`],
    ),
  }
}

function priceOf(price: number | undefined): { readonly price?: number } {
  return price === undefined ? {} : { price }
}
