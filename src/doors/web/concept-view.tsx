import { useCallback, useEffect, useState } from 'react'
import type { ErrorData } from '../../base/index.ts'
import { redoLesson, undoLesson } from './correct-api.ts'
import type { Lesson } from './correct-api.ts'
import { ExampleCrop } from './example-crop.tsx'
import { LessonCard } from './lesson-card.tsx'
import { forget, readConcept, rollBack } from './memory-api.ts'
import type { ConceptDetail, ConceptExample } from './memory-api.ts'
import type { Notes } from './toast.tsx'
import { words } from './words.ts'

interface Properties {
  readonly tool: string
  readonly concept: string
  readonly notes: Notes
  /** Something was changed; `true` when nothing of the concept is left. */
  readonly onChange: (isGone: boolean) => void
  readonly onClose: () => void
}

/** A concept that is read again after each change. */
function useConcept({ tool, concept, notes, onChange }: Properties) {
  const [detail, setDetail] = useState<ConceptDetail>()
  const [error, setError] = useState<ErrorData>()
  const [busy, setBusy] = useState(false)
  const read = useCallback(async () => {
    await readConcept(tool, concept).then(setDetail, setError)
  }, [tool, concept])
  useEffect(() => void read(), [read])
  const change = async (work: () => Promise<unknown>, said: string): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      await read()
      notes.say({ text: said })
      onChange(false)
    } catch (cause) {
      setError(cause as ErrorData)
    }
    setBusy(false)
  }
  return { detail, error, setError, busy, change }
}

/** A concept of a tool: what it rests on, what it never is, and its versions. */
export function ConceptView(properties: Properties) {
  const { tool, concept, notes, onChange, onClose } = properties
  const { detail, error, setError, busy, change } = useConcept(properties)
  const lessons = [...(detail?.lessons ?? [])].reverse()
  const acting = lessons.filter(({ status }) => status === 'applied')
  return (
    <section className="card concept-view" aria-label={words.memory.about(concept, tool)}>
      <div className="correct-head">
        <h2>{words.memory.about(concept, tool)}</h2>
        <button type="button" className="quiet round" aria-label={words.close} onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
      </div>
      {error !== undefined && (
        <p className="problem-line" role="alert">
          {error.message}
        </p>
      )}
      <Examples all={detail?.examples ?? []} />
      <div className="concept-acts">
        {acting.length > 0 && (
          <button
            type="button"
            disabled={busy}
            onClick={() => void change(() => rollBack(tool, concept, 0), words.memory.switchedOff)}
          >
            {words.memory.switchOff}
          </button>
        )}
        <Forget
          busy={busy}
          onForget={() => {
            void forget(concept).then((count) => {
              notes.say({ text: words.memory.forgotten(concept, count) })
              onChange(true)
            }, setError)
          }}
        />
      </div>
      <h3>{words.memory.versions}</h3>
      <ul className="versions" aria-label={words.memory.versions}>
        {lessons.map((lesson) => (
          <li key={lesson.id}>
            <LessonCard
              lesson={lesson}
              busy={busy}
              onChange={(verb) => void change(() => CHANGES[verb](lesson), SAID[verb](lesson))}
              onRollBack={
                canRollBack(lesson, acting)
                  ? () =>
                      void change(
                        () => rollBack(tool, concept, lesson.version),
                        words.memory.rolledBack(lesson.version),
                      )
                  : undefined
              }
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

const CHANGES = {
  undo: ({ id }: Lesson) => undoLesson(id),
  redo: ({ id }: Lesson) => redoLesson(id),
}
const SAID = {
  undo: ({ version }: Lesson): string => words.memory.undone(version),
  redo: ({ version }: Lesson): string => words.memory.redone(version),
}

/** Going back to a version makes sense when a newer one acts. */
function canRollBack({ version, status }: Lesson, acting: readonly Lesson[]): boolean {
  return status !== 'kept-out' && acting.some((one) => one.version > version)
}

function Examples({ all }: { readonly all: readonly ConceptExample[] }) {
  const acting = all.filter(({ acts }) => acts)
  const lists = [
    [words.memory.shows, acting.filter(({ positive }) => positive)],
    [words.memory.never, acting.filter(({ positive }) => !positive)],
  ] as const
  return lists.map(
    ([title, examples]) =>
      examples.length > 0 && (
        <div key={title}>
          <h3>{title}</h3>
          <ul className="examples" aria-label={title}>
            {examples.slice(0, MOST).map((example) => (
              <li key={example.id}>
                <ExampleCrop example={example} />
              </li>
            ))}
          </ul>
          {examples.length > MOST && (
            <p className="soft">{words.memory.moreExamples(examples.length - MOST)}</p>
          )}
        </div>
      ),
  )
}

/** Examples drawn at once. */
const MOST = 60

function Forget({ busy, onForget }: { readonly busy: boolean; readonly onForget: () => void }) {
  const [sure, setSure] = useState(false)
  if (!sure) {
    return (
      <button type="button" disabled={busy} onClick={() => setSure(true)}>
        {words.memory.forget}
      </button>
    )
  }
  return (
    <span className="sure" role="group" aria-label={words.memory.forget}>
      {words.memory.sure}
      <button type="button" className="danger" onClick={onForget}>
        {words.memory.forgetSure}
      </button>
      <button type="button" autoFocus onClick={() => setSure(false)}>
        {words.memory.keep}
      </button>
    </span>
  )
}
