import type { Clock } from '../base/index.ts'
import { canonicalJson, sha256 } from '../base/index.ts'
import type { Demonstration, DemonstrationPool } from '../memory/index.ts'
import type { Db, Writer } from './db.ts'

const COUNTER = 'demonstrations'

/** The pool of demonstrations of one space; start entries are not in it, they ship as data. */
export function demonstrationStore(db: Db, space: string, clock: Clock): DemonstrationPool {
  return {
    list: async (family) => {
      const rows = await db.read
        .selectFrom('demonstrations')
        .select('body')
        .where('space', '=', space)
        .where('family', '=', family)
        .execute()
      const all = rows.map((row) => JSON.parse(row.body) as Demonstration)
      // Databases order text by their own rules; everybody's order is by code unit.
      return all.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    },
    get: async (id) => {
      const row = await db.read
        .selectFrom('demonstrations')
        .select('body')
        .where('space', '=', space)
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined ? undefined : (JSON.parse(row.body) as Demonstration)
    },
    put: (demonstration) =>
      db.write(async (writer) => {
        await insert(writer, space, demonstration, clock.now())
        await bump(writer, space)
      }),
    remove: (id) =>
      db.write(async (writer) => {
        await writer
          .deleteFrom('demonstrations')
          .where('space', '=', space)
          .where('id', '=', id)
          .execute()
        await bump(writer, space)
      }),
    version: async () => {
      const row = await db.read
        .selectFrom('counters')
        .select('value')
        .where('space', '=', space)
        .where('name', '=', COUNTER)
        .executeTakeFirst()
      return row?.value ?? 0
    },
  }
}

async function insert(
  writer: Writer,
  space: string,
  one: Demonstration,
  now: number,
): Promise<void> {
  const { id, family, verdict } = one
  await writer
    .deleteFrom('demonstrations')
    .where('space', '=', space)
    .where('id', '=', id)
    .execute()
  await writer
    .insertInto('demonstrations')
    .values({
      ...{ space, id, family, verdict, digest: digestOf(one), body: JSON.stringify(one) },
      created_at: one.createdAt ?? now,
    })
    .onConflict((conflict) => conflict.columns(['space', 'digest']).doNothing())
    .execute()
}

/** Equal right ones have equal digests; two wrong ones may be equal, their critiques differ. */
function digestOf(one: Demonstration): string | null {
  if (one.verdict === 'wrong') return null
  const { family, instruction, plan = '', program = '' } = one
  return sha256(canonicalJson([family, instruction.trim().toLowerCase(), plan, program]))
}

async function bump(writer: Writer, space: string): Promise<void> {
  await writer
    .insertInto('counters')
    .values({ space, name: COUNTER, value: 1 })
    .onConflict((conflict) =>
      conflict.columns(['space', 'name']).doUpdateSet(({ eb, ref }) => ({
        value: eb(ref('counters.value'), '+', 1),
      })),
    )
    .execute()
}
