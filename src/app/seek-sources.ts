import { join } from 'node:path'
import type { Abortable, Clock, Progress } from '../base/index.ts'
import type { Permission } from '../agents/index.ts'
import {
  brave,
  cloudVision,
  commons,
  documentsSource,
  guardedFetch,
  kiwix,
  openPage,
  openverse,
  openWordnet,
  pictureTitles,
  searxng,
  serpapiLens,
  wikidata,
  wikimediaClient,
  wikipedia,
  wordnetFacts,
} from '../tools/index.ts'
import type { SourceProvider } from '../tools/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { lazy } from './lazy.ts'
import { indexName } from './picture-sources.ts'
import { version } from './version.ts'

export interface SeekSources {
  /** Those of one run, without those that need a network when it is offline. */
  providers(run: {
    readonly offline: boolean
    /** Where the picture of this run stands publicly, if it does. */
    readonly pictureUrl?: string | undefined
  }): readonly SourceProvider[]
  /** What was configured but cannot be used now, and why. */
  problems(options?: Abortable): Promise<readonly string[]>
  /** What each remote one may be sent. */
  permissions(
    sendPictures: boolean,
    providers: readonly SourceProvider[],
  ): Readonly<Record<string, Permission>>
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
      : documentsSource({ folder: documents, index: join(index, indexName(documents)), progress })
  const local: readonly SourceProvider[] = [
    ...(own === undefined ? [] : [own]),
    wordnetFacts(lazy(() => openWordnet())),
    ...(kiwixUrl === undefined
      ? []
      : [kiwix({ url: kiwixUrl, clock, ...(kiwixBook === undefined ? {} : { book: kiwixBook }) })]),
  ]
  const remote = remoteSources(setup)
  const all = [...local, ...remote.providers]
  return {
    providers: ({ offline, pictureUrl }) => {
      const lens = pictureUrl === undefined ? undefined : lensSource(setup, pictureUrl)
      const mine = lens === undefined ? all : [...all, lens]
      return mine.filter((one) => !offline || !one.needsNetwork)
    },
    problems: async () => {
      const told = await Promise.all(all.map((one) => one.probe()))
      return [...remote.problems, ...told.filter((one) => one !== null)]
    },
    permissions: (sendPictures, providers) => {
      const pictures = sendPictures ? 'always' : (config.sources.pictures ?? 'never')
      return Object.fromEntries(
        providers.map(({ id, sends }) => [id, sends === 'image' ? pictures : 'always'] as const),
      )
    },
    close: async () => own?.close(),
  }
}

/** Services that were set up: Wikimedia with a contact, the others with an address or a key. */
function remoteSources({ config, env, clock }: SeekSourcesSetup): {
  readonly providers: readonly SourceProvider[]
  readonly problems: readonly string[]
} {
  const { contact, searxng: searxngUrl } = config.sources
  const { commons: asksCommons, openverse: asksOpenverse } = config.sources
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
    ...(asksCommons === true && contact !== undefined
      ? [pictureTitles(commons(wiki, client))]
      : []),
    ...(asksOpenverse === true
      ? [pictureTitles(openverse({ clock, ...(contact === undefined ? {} : { contact }) }))]
      : []),
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
    problems: [
      ...[braveKeyEnv, cloudVisionKeyEnv, config.sources.serpapiKeyEnv].flatMap((name) =>
        name === undefined || (env[name] ?? '') !== '' ? [] : [`The variable ${name} is not set.`],
      ),
      ...(asksCommons === true && contact === undefined
        ? ['Wikimedia Commons is off: set "sources.contact" to an address of yours.']
        : []),
    ],
  }
}

/** Google Lens looks only at what its owner has published. */
function lensSource(
  { config, env, clock }: SeekSourcesSetup,
  pictureUrl: string,
): SourceProvider | undefined {
  const { serpapiKeyEnv, serpapiPrice } = config.sources
  const key = serpapiKeyEnv === undefined ? '' : (env[serpapiKeyEnv] ?? '')
  return key === ''
    ? undefined
    : serpapiLens({ key, clock, publicUrl: () => pictureUrl, ...priceOf(serpapiPrice) })
}

function priceOf(price: number | undefined): { readonly price?: number } {
  return price === undefined ? {} : { price }
}
