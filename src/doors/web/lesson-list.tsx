import { useState } from 'react'
import type { ErrorData } from '../../base/index.ts'
import { redoLesson, undoLesson } from './correct-api.ts'
import type { Lesson } from './correct-api.ts'
import { LessonCard } from './lesson-card.tsx'
import { readLessons } from './memory-api.ts'
import type { Notes } from './toast.tsx'
import { usePages } from './use-pages.ts'
import { VirtualList } from './virtual-list.tsx'
import { words } from './words.ts'

/** Lessons about plans, programs and answers, which belong to no concept. */
export function LessonList({ notes }: { readonly notes: Notes }) {
  const { items, isRead, more, again, error } = usePages<Lesson>(
    '/v1/lessons?limit=200',
    readLessons,
  )
  const [busy, setBusy] = useState(false)
  const others = items.filter(({ concept }) => concept === null)
  const change = async (lesson: Lesson, verb: 'undo' | 'redo'): Promise<void> => {
    setBusy(true)
    try {
      await (verb === 'undo' ? undoLesson : redoLesson)(lesson.id)
      const said = verb === 'undo' ? words.memory.undone : words.memory.redone
      notes.say({ text: said(lesson.version) })
      again()
    } catch (cause) {
      notes.say({ text: (cause as ErrorData).message })
    }
    setBusy(false)
  }
  return (
    <section className="card" aria-label={words.memory.parts.lessons}>
      {error !== undefined && <p className="problem-line">{error.message}</p>}
      {isRead && others.length === 0 && <p className="soft">{words.memory.none}</p>}
      <VirtualList
        {...{ items: others, onMore: more, height: 130, label: words.memory.parts.lessons }}
        keyOf={({ id }) => id}
      >
        {(lesson) => (
          <LessonCard {...{ lesson, busy }} onChange={(verb) => void change(lesson, verb)} />
        )}
      </VirtualList>
    </section>
  )
}
