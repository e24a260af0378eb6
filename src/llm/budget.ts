import { checkNumber, expected, UserFault } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import type { Budget, BudgetLimits, Spent } from './model.ts'

const UNITS: { readonly [K in keyof Spent]: string } = {
  calls: 'calls of models',
  tokens: 'tokens',
  seconds: 'seconds',
  money: 'of money',
  pictures: 'pictures sent',
}

const KEYS = Object.keys(UNITS) as readonly (keyof Spent)[]

/**
 * A budget that starts now; its seconds run by themselves.
 *
 * `charge` asks before the act: it throws when a limit that the amount touches is reached already.
 * `record` notes after the act and never throws, so the last act may overshoot (tokens are known
 * only afterwards) and the next one is refused.
 *
 * @param limits  what is left out is unlimited
 * @param options.spent  what was spent before, by an earlier part of the run or of the day
 * @throws UserFault `E_ARGUMENT` for a limit that is no number of at least 0, or is unknown
 */
export function createBudget(
  limits: BudgetLimits,
  clock: Clock,
  options: { readonly spent?: Partial<Spent> } = {},
): Budget {
  checkLimits(limits)
  const frozen = Object.freeze({ ...limits })
  const start = clock.tick()
  const sum: Record<keyof Spent, number> = {
    calls: 0,
    tokens: 0,
    seconds: 0,
    money: 0,
    pictures: 0,
  }
  add(options.spent ?? {})

  function add(amount: Partial<Spent>): void {
    for (const key of KEYS) sum[key] += amount[key] ?? 0
  }
  const spent = (): Spent => ({ ...sum, seconds: sum.seconds + (clock.tick() - start) / 1000 })
  const reached = (key: keyof Spent, now: Spent): boolean => now[key] >= (frozen[key] ?? Infinity)

  return {
    limits: frozen,
    spent,
    charge(amount) {
      const now = spent()
      const over = KEYS.find((key) => (amount[key] ?? 0) > 0 && reached(key, now))
      if (over !== undefined) throw overBudget(over, frozen)
      add(amount)
    },
    record: add,
    exhausted() {
      const now = spent()
      return KEYS.find((key) => reached(key, now))
    },
  }
}

/** The error of a budget that is used up. */
export function overBudget(limit: keyof Spent, limits: BudgetLimits): UserFault {
  const most = limits[limit]
  return new UserFault('E_BUDGET', `The budget of ${most} ${UNITS[limit]} is used up.`, {
    fields: { limit, most },
    cure: `Raise the limit "${limit}", or leave it out.`,
  })
}

function checkLimits(limits: BudgetLimits): void {
  for (const [name, most] of Object.entries(limits)) {
    if (!KEYS.includes(name as keyof Spent)) throw expected(KEYS.join(', '), 'a limit', name)
    if (most !== undefined) checkNumber(most, name, { min: 0 })
  }
}
