import { nearestNames, UserFault } from '../../base/index.ts'
import { lexicalEncoder, cosine } from '../../memory/index.ts'
import type { Backends, RemoteTools, Action } from '../../tools/index.ts'
import { routedName } from '../../tools/index.ts'
import { runRemotely } from './remote-skill.ts'
import type { Skill, SkillContext, SkillResult } from './skill.ts'
import { SKILLS } from './skill-table.ts'

/** A skill with where it runs; `missing` says why it cannot. */
export type ListedSkill = { readonly skill: Skill } & (
  { readonly where: 'here' | 'remote' } | { readonly where: 'nowhere'; readonly missing: string }
)

/** The skills of a conversation. */
export interface SkillRepository {
  readonly backends: Backends
  /** Every skill, those that cannot run with the reason: not hidden and not faked. */
  list(options?: { readonly signal?: AbortSignal }): Promise<readonly ListedSkill[]>
  /** The enabled skills that can run, the most fitting first, within a budget of letters. */
  offered(
    question: string,
    options?: { readonly letters?: number; readonly signal?: AbortSignal },
  ): Promise<readonly Skill[]>
  find(name: string): Skill | undefined
  /**
   * @throws UserFault `E_UNKNOWN_SKILL` with the names known, `T_UNAVAILABLE` with the reason; what the
   *   skill throws
   */
  run(action: Action, context: SkillContext): Promise<SkillResult>
}

export interface RepositoryOptions {
  readonly backends: Backends
  /** Where skills run that cannot run here, or all that are named in `preferRemote`. */
  readonly remote?: RemoteTools
  readonly preferRemote?: readonly string[]
  /** Names that a conversation may use; default all. */
  readonly enabled?: readonly string[]
  /** More skills, or others in place of the standard ones with one of their names. */
  readonly extra?: readonly Skill[]
}

/** Letters of the list of skills in a prompt; about 1,000 tokens. */
const LETTERS = 4_000

/** Joins the table of skills with what is configured (llava-plus §4). */
export function createRepository(options: RepositoryOptions): SkillRepository {
  const { backends, remote, preferRemote = [], enabled, extra = [] } = options
  const taken = new Set(extra.flatMap(({ names }) => names))
  const standard = SKILLS.filter(({ names }) => !names.some((name) => taken.has(name)))
  const skills = [...standard, ...extra].filter(
    ({ names }) => enabled === undefined || names.some((name) => enabled.includes(name)),
  )
  const find = (name: string): Skill | undefined => skills.find(({ names }) => names.includes(name))
  const remoteNames = async (signal?: AbortSignal): Promise<ReadonlySet<string>> =>
    new Set(remote === undefined ? [] : await remote.names({ signal }))
  const where = (skill: Skill, elsewhere: ReadonlySet<string>): ListedSkill => {
    const isRemote = skill.names.some((name) => elsewhere.has(routedName(name)))
    if (isRemote && skill.names.some((name) => preferRemote.includes(name))) {
      return { skill, where: 'remote' }
    }
    const missing = skill.missing(backends)
    if (missing === undefined) return { skill, where: 'here' }
    return isRemote ? { skill, where: 'remote' } : { skill, where: 'nowhere', missing }
  }
  const list: SkillRepository['list'] = async ({ signal } = {}) => {
    const elsewhere = await remoteNames(signal)
    return skills.map((skill) => where(skill, elsewhere))
  }
  return {
    backends,
    list,
    find,
    offered: async (question, { letters = LETTERS, signal } = {}) => {
      const able = (await list({ ...(signal === undefined ? {} : { signal }) })).filter(
        (one) => one.where !== 'nowhere',
      )
      return withinBudget(
        able.map(({ skill }) => skill),
        question,
        letters,
      )
    },
    run: async (action, context) => {
      const skill = find(action.name) ?? unknownSkill(action.name, skills)
      const missing = skill.missing(backends)
      const prefers = skill.names.some((name) => preferRemote.includes(name))
      if (missing === undefined && !prefers) return skill.run(action, context)
      if (remote === undefined) throw unavailable(skill, missing ?? 'It is remote only.')
      return runRemotely(remote, action, context)
    },
  }
}

function unknownSkill(name: string, skills: readonly Skill[]): never {
  const known = skills.flatMap(({ names }) => names)
  const near = nearestNames(name, known)
  throw new UserFault('E_UNKNOWN_SKILL', `There is no skill "${name}".`, {
    fields: { skill: name, known },
    cure: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Skills: ${known.join(', ')}.`,
  })
}

function unavailable({ names, skill }: Skill, missing: string): UserFault {
  return new UserFault('T_UNAVAILABLE', `${skill} (${names[0]}) cannot run: ${missing}`, {
    fields: { skill: names[0] },
    cure: 'Start a worker for it and give its address or controller, or configure a model for it.',
  })
}

/** One line of the list of skills. */
export function skillLine({ names, about, parameters }: Skill): string {
  return `- ${names[0]}: ${about} API_params: ${JSON.stringify(schemaOf(parameters))}`
}

function schemaOf(parameters: object): unknown {
  const { properties = {} } = parameters as { properties?: Readonly<Record<string, object>> }
  return Object.fromEntries(
    Object.entries(properties).map(([key, one]) => {
      const { type, description } = one as { type?: string; description?: string }
      return [key, description ?? type]
    }),
  )
}

/** All when they fit, in their order; otherwise those nearest to the question. */
async function withinBudget(
  skills: readonly Skill[],
  question: string,
  letters: number,
): Promise<readonly Skill[]> {
  const total = skills.reduce((sum, skill) => sum + skillLine(skill).length, 0)
  if (total <= letters) return skills
  const [asked, ...vectors] = await lexicalEncoder.encode([
    question,
    ...skills.map(({ words, about }) => `${words} ${about}`),
  ])
  const ranked = skills
    .map((skill, i) => {
      const vector = vectors[i]
      const near = asked === undefined || vector === undefined ? 0 : cosine(asked, vector)
      return { skill, near }
    })
    .toSorted((a, b) => b.near - a.near)
  let left = letters
  const kept = new Set<Skill>()
  for (const { skill } of ranked) {
    left -= skillLine(skill).length
    if (left < 0) break
    kept.add(skill)
  }
  return skills.filter((skill) => kept.has(skill))
}
