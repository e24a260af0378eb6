import { UserFault } from '../../base/index.ts'
import type { ChatTurn } from './conversation.ts'

/** A user's turn and all that followed it until the next. */
export type Exchange = readonly ChatTurn[]

/** The turns as exchanges; each begins with a user's turn. */
export function exchanges(turns: readonly ChatTurn[]): readonly Exchange[] {
  const groups: ChatTurn[][] = []
  for (const turn of turns) {
    const last = groups.at(-1)
    if (turn.role === 'user' || last === undefined) groups.push([turn])
    else last.push(turn)
  }
  return groups
}

/** What is left of a history, and the pictures that came with what was left out. */
export interface FittedHistory {
  readonly kept: readonly Exchange[]
  readonly dropped: number
  /** Names of pictures of dropped turns: they are shown with the first turn that is kept. */
  readonly orphans: readonly string[]
}

/**
 * A history that fits: the oldest exchanges go first, the last never, and no picture ever.
 *
 * @param fits  whether the model has room for such a history
 * @throws UserFault `E_CHAT_TOO_LONG` when even the last exchange does not fit
 */
export async function fitHistory(
  turns: readonly ChatTurn[],
  fits: (history: FittedHistory) => Promise<boolean>,
): Promise<FittedHistory> {
  const all = exchanges(turns)
  for (let dropped = 0; dropped < Math.max(1, all.length); dropped++) {
    const history = historyFrom(all, dropped)
    if (await fits(history)) return history
  }
  throw new UserFault('E_CHAT_TOO_LONG', 'The last turn alone is too long for this model.', {
    cure: 'Ask for less at once, or use a model with a larger context window.',
  })
}

/** The history without its first exchanges. */
export function historyFrom(all: readonly Exchange[], dropped: number): FittedHistory {
  const lost = all.slice(0, dropped).flat()
  const orphans = lost.flatMap((turn) => (turn.role === 'user' ? turn.pictures : []))
  return { kept: all.slice(dropped), dropped, orphans }
}

/** What the user asked in an exchange. */
export function questionOf(exchange: Exchange): string {
  const [first] = exchange
  return first?.role === 'user' ? first.text : ''
}
