import type { ChatPartDocument, LiveRun, Pupil, RunOptions } from '../../../app/index.ts'
import type { Purse } from './purse.ts'

type Budget = RunOptions['budget']
type Run = Awaited<LiveRun['result']>

/** The assistant of a token: what it does is paid from its purse, and runs out with it. */
export function metered(pupil: Pupil, purse: Purse): Pupil {
  const paid = async (
    asked: Budget,
    begin: (budget: NonNullable<Budget>) => Promise<LiveRun>,
  ): Promise<LiveRun> => {
    const { limits, settle } = await purse.promise(asked)
    let live: LiveRun
    try {
      live = await begin(limits)
    } catch (error) {
      await settle({})
      throw error
    }
    // A run that broke off does not tell what it spent: then what it was promised counts.
    const result = live.result.then(
      async (run) => {
        await settle(run.cost)
        return run
      },
      async (error: unknown) => {
        await settle()
        throw error
      },
    )
    result.catch(() => {})
    return { ...live, result }
  }
  const start: Pupil['start'] = (request, options = {}) =>
    paid(options.budget, (budget) => pupil.start(request, { ...options, budget }))
  const startSeek: Pupil['startSeek'] = (request, options = {}) =>
    paid(options.budget, (budget) => pupil.startSeek(request, { ...options, budget }))
  const whole = async (...asked: Parameters<typeof start>): Promise<Run> =>
    (await start(...asked)).result
  return {
    ...pupil,
    start,
    startSeek,
    ...verbs(whole),
    seek: async (picture, question, options) =>
      (await startSeek({ picture, question }, options)).result,
    replay: async (name, options = {}) => {
      if (options.from === undefined) return pupil.replay(name, options)
      const { limits, settle } = await purse.promise(options.budget)
      try {
        const run = await pupil.replay(name, { ...options, budget: limits })
        await settle(run.cost)
        return run
      } catch (error) {
        await settle()
        throw error
      }
    },
    chats: meteredChats(pupil.chats, purse),
  }
}

function verbs(
  whole: (...asked: Parameters<Pupil['start']>) => Promise<Run>,
): Pick<Pupil, 'ask' | 'compare' | 'edit' | 'tag' | 'run'> {
  return {
    ask: (picture, instruction, run) =>
      whole({ family: 'gqa', pictures: [picture], instruction }, run),
    compare: (left, right, instruction, run) =>
      whole({ family: 'nlvr', pictures: [left, right], instruction }, run),
    edit: (picture, instruction, run) =>
      whole({ family: 'imgedit', pictures: [picture], instruction }, run),
    tag: (picture, instruction, run) =>
      whole({ family: 'tagging', pictures: [picture], instruction }, run),
    run: (pictures, program, { family = 'open', ...run } = {}) =>
      whole({ family, pictures, program, instruction: '' }, run),
  }
}

function meteredChats(chats: Pupil['chats'], purse: Purse): Pupil['chats'] {
  return {
    ...chats,
    say: async function* (id, text, options = {}) {
      const { limits, settle } = await purse.promise(options.budget)
      try {
        for await (const part of chats.say(id, text, { ...options, budget: limits })) {
          if (part.type === 'finish') await settle(part.run.cost)
          yield part
        }
      } finally {
        await settle()
      }
    },
    tell: async function* (id, text, options = {}) {
      const { limits, settle } = await purse.promise(options.budget)
      try {
        for await (const part of chats.tell(id, text, { ...options, budget: limits })) {
          if (part.type === 'finish') await settle(part.run.costs)
          yield part satisfies ChatPartDocument
        }
      } finally {
        await settle()
      }
    },
  }
}
