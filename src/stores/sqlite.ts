import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import type { SqliteDatabase } from 'kysely'
import { Unavailable } from '../base/index.ts'
import type { Db, OpenOptions, Tables } from './db.ts'

/** A store in one file, or `:memory:`; several processes may have it open at once. */
export function openSqlite(path: string, options: OpenOptions = {}): Db {
  const database = openFile(path, options.busyTimeout ?? 10_000)
  const read = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: forKysely(database, path) }),
  })
  return {
    dialect: 'sqlite',
    read,
    write: (work, { signal } = {}) => {
      signal?.throwIfAborted()
      return read.transaction().execute(work)
    },
    close: () => read.destroy(),
  }
}

function openFile(path: string, busyTimeout: number): DatabaseSync {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
    const database = new DatabaseSync(path, { timeout: busyTimeout })
    const mode = database.prepare('pragma journal_mode').get() as { journal_mode: string }
    // Only the first process to come changes the mode: the change takes a lock of its own.
    if (mode.journal_mode !== 'wal' && path !== ':memory:') {
      database.exec('begin exclusive; commit')
      database.exec('pragma journal_mode = wal')
    }
    database.exec('pragma synchronous = normal; pragma foreign_keys = on')
    return database
  } catch (error) {
    throw sqliteFault(error, path)
  }
}

/**
 * What kysely wants of a SQLite database, over `node:sqlite`; rows get an ordinary prototype.
 *
 * Every transaction here writes, so `begin` takes the write lock at once: one that read first and wrote
 * later would fail as soon as another process wrote in between, and no timeout would help.
 */
function forKysely(database: DatabaseSync, path: string): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const attempt = <T>(work: () => T): T => {
        try {
          return work()
        } catch (error) {
          throw sqliteFault(error, path)
        }
      }
      const statement = attempt(() => database.prepare(sql === 'begin' ? 'begin immediate' : sql))
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters) =>
          attempt(() => statement.all(...values(parameters)).map((row) => ({ ...row }))),
        run: (parameters) => {
          // A full disk has rolled back by itself; a second rollback would hide what happened.
          if (sql === 'rollback' && !database.isTransaction)
            return { changes: 0, lastInsertRowid: 0 }
          return attempt(() => statement.run(...values(parameters)))
        },
        iterate: (parameters) => statement.iterate(...values(parameters)),
      }
    },
  }
}

/** SQLite's primary result codes that mean the folder or the disk, not our SQL. */
const FOLDER_CODES: Readonly<Record<number, { reason: string; cure: string }>> = {
  3: {
    reason: 'not permitted',
    cure: 'Give a folder that can be written, with --data or PUPIL_HOME.',
  },
  8: { reason: 'read-only', cure: 'Give a folder that can be written, with --data or PUPIL_HOME.' },
  10: { reason: 'the disk failed', cure: 'Check the disk, or give another folder with --data.' },
  11: { reason: 'the file is damaged', cure: 'Restore a backup, or move the file away.' },
  13: { reason: 'the disk is full', cure: 'Free some space and try again.' },
  14: {
    reason: 'cannot open',
    cure: 'Give a folder that can be written, with --data or PUPIL_HOME.',
  },
  26: {
    reason: 'not a SQLite file',
    cure: 'Move the file away, or give another folder with --data.',
  },
}

function sqliteFault(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error
  const { errcode, code } = error as { errcode?: number; code?: string }
  if (errcode !== undefined) {
    const primary = errcode & 0xff
    const known = FOLDER_CODES[primary]
    if (known !== undefined) return folderFault(path, known.reason, known.cure, error)
    if (primary === 5 || primary === 6) {
      return new Unavailable('E_STORE_BUSY', `Another process holds ${path} for too long.`, {
        fields: { path },
        cure: 'Try again; if it stays so, look for a stopped pupil process.',
        cause: error,
      })
    }
    return error
  }
  // From mkdir: EACCES, EROFS, ENOTDIR, ENOSPC …
  if (code !== undefined && /^E[A-Z]+$/.test(code)) {
    return folderFault(
      path,
      code,
      'Give a folder that can be written, with --data or PUPIL_HOME.',
      error,
    )
  }
  return error
}

function folderFault(path: string, reason: string, cure: string, cause: Error): Unavailable {
  const fields = { path, reason }
  return new Unavailable('E_DATA_FOLDER', `Cannot write ${path} (${reason}).`, {
    fields,
    cure,
    cause,
  })
}
