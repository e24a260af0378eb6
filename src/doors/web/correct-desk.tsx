import { useState } from 'react'
import type { ErrorData } from '../../base/index.ts'
import type { RunDocument } from '../../app/index.ts'
import { undoLesson } from './correct-api.ts'
import type { Corrected, Lesson } from './correct-api.ts'
import { CorrectCard } from './correct-card.tsx'
import { JudgeBar } from './judge-bar.tsx'
import type { Note, Notes } from './toast.tsx'
import type { Correcting } from './use-correcting.ts'
import { useKeys } from './use-keys.ts'
import { words } from './words.ts'
import './correct.css'

interface Properties {
  readonly run: RunDocument
  /** Index in the run's steps of the one that is looked at. */
  readonly pointed: number | undefined
  readonly correcting: Correcting
  readonly notes: Notes
  /** Asks the same again. */
  readonly onAgain: () => void
}

/** Is it right? And if not: what is, and what is learnt from that. */
export function CorrectDesk({ run, pointed, correcting, notes, onAgain }: Properties) {
  const { state, act } = correcting
  const [isRight, setRight] = useState(false)
  const wrong = (): void => act({ type: 'wrong', run, pointed })
  const right = async (): Promise<void> => {
    act({ type: 'close' })
    if (!(await correcting.right())) return
    setRight(true)
    notes.say({ text: words.correct.judge.keptRight })
  }
  const unsure = (): void => {
    act({ type: 'close' })
    notes.say({ text: words.correct.judge.keptUnsure })
  }
  const close = (text: string): void => {
    act({ type: 'close' })
    notes.say({ text })
  }
  const teach = async (insist: boolean): Promise<void> => {
    const came = await correcting.teach(insist)
    if (came === undefined) return
    act({ type: 'close' })
    setRight(false)
    notes.say({ ...noteOf(came), again: onAgain })
  }
  useKeys({
    a: () => void right(),
    x: wrong,
    s: unsure,
    escape: state.phase === 'closed' ? undefined : () => act({ type: 'close' }),
  })
  const isOpen = state.phase !== 'closed'
  return (
    <>
      <JudgeBar
        chosen={isOpen ? 'wrong' : isRight ? 'right' : undefined}
        onRight={() => void right()}
        onWrong={wrong}
        onUnsure={unsure}
      />
      {isOpen && (
        <CorrectCard
          run={run}
          correcting={correcting}
          onTeach={(insist) => void teach(insist)}
          onOnlyThis={() =>
            void correcting.onlyThis().then((kept) => kept && close(words.correct.keptOnly))
          }
          onLater={() => close(words.correct.keptLater)}
        />
      )}
      {!isOpen && state.error !== undefined && (
        <p className="problem-line" role="alert">
          {state.error.message} {state.error.cure}
        </p>
      )}
    </>
  )
}

function noteOf({ lesson, nothing = '' }: Corrected): Note {
  if (lesson === undefined) return { text: words.correct.keptOut(nothing) }
  if (lesson.status !== 'applied') return { text: words.correct.keptOut(lesson.reason ?? '') }
  const { id, version, concept, tool } = lesson
  const text = words.correct.learnt(version, concept, tool)
  return { text, lesson: id, undo: () => undo(lesson) }
}

async function undo({ id }: Lesson): Promise<string> {
  try {
    await undoLesson(id)
    return words.correct.undone
  } catch (error) {
    return words.correct.notUndone((error as ErrorData).message)
  }
}
