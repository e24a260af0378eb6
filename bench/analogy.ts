/**
 * Planning by analogy: right programs on held-out rewordings, and time by the number of demonstrations.
 *
 * Repeat with: node bench/analogy.ts
 */
import { createAnalogyPlanner } from '../src/agents/index.ts'
import { heldOutCases, sameMeaning } from '../src/agents/programs/analogy/held-out.ts'
import { isFault, seededRandom } from '../src/base/index.ts'
import type { Random } from '../src/base/index.ts'
import { createRetriever, memoryDemonstrations, startDemonstrations } from '../src/memory/index.ts'
import type { Demonstration } from '../src/memory/index.ts'
import { FAMILIES } from '../src/program/index.ts'
import type { Family } from '../src/program/index.ts'
import { SIGNATURES } from '../src/tools/index.ts'

const families: Readonly<Record<string, Family>> = FAMILIES
const SIZES = [0, 1_000, 10_000, 100_000]
const ROUNDS = 2

/** New demonstrations out of old ones: other things in them, and in half of them further words. */
function grown(count: number, random: Random): readonly Demonstration[] {
  const base = startDemonstrations().filter(({ verdict }) => verdict === 'right')
  const syllables = 'ba ke li mo nu pa re si to vu wa ze'.split(' ')
  const word = (): string =>
    Array.from({ length: 3 }, () => syllables[random.below(syllables.length)]).join('')
  return Array.from({ length: count }, (_, i) => {
    const from = base[random.below(base.length)] ?? base[0]
    if (from === undefined) throw new Error('no demonstrations')
    const thing = /object='([a-z]+)'|query='([a-z]+)'|many ([a-z]+) are/.exec(from.program ?? '')
    const old = thing?.[1] ?? thing?.[2] ?? thing?.[3] ?? 'thing'
    const pattern = new RegExp(`\\b${old}`, 'g')
    const fresh = word()
    const more = random.next() < 0.5 ? ` ${word()} ${word()}` : ''
    return {
      ...from,
      id: `bench/${i}`,
      score: 0,
      instruction: from.instruction.replace(/[.?]?$/, '').replaceAll(pattern, fresh) + more,
      program: (from.program ?? '').replaceAll(pattern, fresh),
    }
  })
}

interface Measured {
  readonly right: number
  readonly total: number
  readonly times: readonly number[]
  readonly lookups: readonly number[]
  readonly build: number
}

async function measure(size: number): Promise<Measured> {
  const pool = memoryDemonstrations([
    ...startDemonstrations(),
    ...grown(Math.max(0, size - startDemonstrations().length), seededRandom(size)),
  ])
  const planner = createAnalogyPlanner({ pool, signatures: SIGNATURES })
  const retriever = createRetriever({ pool })
  const start = performance.now()
  for (const family of Object.values(families)) {
    await planner.plan({ family, instruction: 'How many dogs are there?' }).catch(() => {})
  }
  const build = performance.now() - start
  const times: number[] = []
  const lookups: number[] = []
  let right = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of heldOutCases()) {
      const family = families[one.family]
      if (family === undefined) continue
      const { instruction } = one
      const begin = performance.now()
      const program = await planner.plan({ family, instruction }).then(
        ([best]) => best?.program,
        (error: unknown) => {
          if (isFault(error) && error.code === 'E_NOT_UNDERSTOOD') return undefined
          throw error
        },
      )
      times.push(performance.now() - begin)
      const query = { family: one.family, instruction, kind: 'program', verdict: 'right', k: 4 }
      if (round > 0) {
        const before = performance.now()
        await retriever.nearest({ ...query, kind: 'program', verdict: 'right' })
        lookups.push(performance.now() - before)
      } else await retriever.nearest({ ...query, kind: 'program', verdict: 'right' })
      const isRight =
        one.refuse === true
          ? program === undefined
          : program !== undefined && one.accept?.some((text) => sameMeaning(text, program)) === true
      if (round === 0 && isRight) right++
    }
  }
  return { right, total: heldOutCases().length, times, lookups, build }
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(2)
}

console.log(
  '| demonstrations | right on held-out | plan, median ms | 95 % ms | retrieve, median ms | index, s |',
)
console.log('|---|---|---|---|---|---|')
for (const size of SIZES) {
  const { right, total, times, lookups, build } = await measure(size)
  const shown = Math.max(size, startDemonstrations().length)
  console.log(
    `| ${shown} | ${right} of ${total} | ${percentile(times, 0.5)} | ${percentile(times, 0.95)} | ${percentile(lookups, 0.5)} | ${(build / 1000).toFixed(2)} |`,
  )
}
