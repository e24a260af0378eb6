import type { Lesson } from './correct-api.ts'
import { EffectLines } from './lesson-preview.tsx'
import { words } from './words.ts'

interface Properties {
  readonly lesson: Lesson
  readonly busy: boolean
  readonly onChange: (verb: 'undo' | 'redo') => void
  readonly onRollBack?: (() => void) | undefined
}

/** A lesson: where it came from, what it did, and whether it acts. */
export function LessonCard({ lesson, busy, onChange, onRollBack }: Properties) {
  const { id, version, tool, concept, status, source, author, createdAt } = lesson
  const { examples, prompts, demonstrations } = lesson
  return (
    <article className={`lesson ${status}`}>
      <p>
        <b>{words.memory.version(version)}</b>{' '}
        {concept === null && <span className="concept-tool">{tool}</span>}{' '}
        <span className={`lesson-status ${status}`}>{words.memory.status[status]}</span>
      </p>
      <p className="soft">
        <time dateTime={new Date(createdAt).toISOString()}>{words.memory.date(createdAt)}</time>
        {' · '}
        {words.memory.by(author)}
        {source !== null && (
          <>
            {' · '}
            <a href={`/runs/${source}`}>{words.memory.source}</a>
          </>
        )}
        {' · '}
        {words.memory.brought(examples.length, prompts.length, demonstrations.length)}
      </p>
      <EffectLines lesson={lesson} />
      <div className="chips">
        {status === 'applied' ? (
          <button type="button" className="chip" disabled={busy} onClick={() => onChange('undo')}>
            {words.undo}
          </button>
        ) : (
          <button type="button" className="chip" disabled={busy} onClick={() => onChange('redo')}>
            {words.memory.redo}
          </button>
        )}
        {onRollBack !== undefined && (
          <button type="button" className="chip" disabled={busy} onClick={onRollBack}>
            {words.memory.rollBack}
          </button>
        )}
        <a className="button chip" href={`/v1/lessons/${id}/export`} download={`${id}.zip`}>
          {words.memory.export}
        </a>
      </div>
    </article>
  )
}
