import { useCallback, useDeferredValue, useRef, useState } from 'react'
import type { ErrorData } from '../../base/index.ts'
import { ConceptView } from './concept-view.tsx'
import { DecisionList } from './decision-list.tsx'
import { DemonstrationList } from './demonstration-list.tsx'
import { ExampleCrop } from './example-crop.tsx'
import { LessonList } from './lesson-list.tsx'
import { importLesson, readConcepts } from './memory-api.ts'
import type { ConceptCard } from './memory-api.ts'
import type { Notes } from './toast.tsx'
import { usePages } from './use-pages.ts'
import { VirtualList } from './virtual-list.tsx'
import { words } from './words.ts'
import './memory.css'

type Part = keyof typeof words.memory.parts
const PARTS = Object.keys(words.memory.parts) as readonly Part[]

/** What was learnt: concepts, lessons about plans and answers, examples of plans, decisions. */
export function MemoryPage({ notes }: { readonly notes: Notes }) {
  const [part, setPart] = useState<Part>('concepts')
  return (
    <main className="memory" aria-label={words.screens.memory}>
      <div className="parts" role="group" aria-label={words.memory.what}>
        {PARTS.map((one) => (
          <button
            key={one}
            type="button"
            className={one === part ? 'chip on' : 'chip'}
            aria-pressed={one === part}
            onClick={() => setPart(one)}
          >
            {words.memory.parts[one]}
          </button>
        ))}
      </div>
      {part === 'concepts' && <Concepts notes={notes} />}
      {part === 'lessons' && <LessonList notes={notes} />}
      {part === 'demonstrations' && <DemonstrationList notes={notes} />}
      {part === 'decisions' && <DecisionList />}
    </main>
  )
}

function Concepts({ notes }: { readonly notes: Notes }) {
  const [text, setText] = useState('')
  const asked = useDeferredValue(text.trim())
  const address = `/v1/concepts?limit=100${asked === '' ? '' : `&words=${encodeURIComponent(asked)}`}`
  const { items, isRead, error, more, again } = usePages<ConceptCard>(address, readConcepts)
  const [open, setOpen] = useState<Pick<ConceptCard, 'tool' | 'concept'>>()
  const changed = useCallback(
    (isGone: boolean) => {
      if (isGone) setOpen(undefined)
      again()
    },
    [again],
  )
  return (
    <div className={open === undefined ? 'concepts' : 'concepts two'}>
      <section className="card concepts-list" aria-label={words.memory.parts.concepts}>
        <div className="concepts-head">
          <input
            className="field"
            type="search"
            value={text}
            aria-label={words.memory.search}
            placeholder={words.memory.search}
            onChange={({ target }) => setText(target.value)}
          />
          <Import notes={notes} onDone={again} />
        </div>
        {error !== undefined && <p className="problem-line">{error.message}</p>}
        {isRead && items.length === 0 && error === undefined && (
          <p className="soft">{asked === '' ? words.memory.none : words.memory.noneLike}</p>
        )}
        <VirtualList
          {...{ items, onMore: more, height: 84, label: words.memory.parts.concepts }}
          keyOf={({ tool, concept }) => `${tool}/${concept}`}
        >
          {(card) => (
            <Card
              card={card}
              on={card.tool === open?.tool && card.concept === open.concept}
              onOpen={() => setOpen(card)}
            />
          )}
        </VirtualList>
      </section>
      {open !== undefined && (
        <ConceptView
          key={`${open.tool}/${open.concept}`}
          {...open}
          notes={notes}
          onChange={changed}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

interface CardProperties {
  readonly card: ConceptCard
  readonly on: boolean
  readonly onOpen: () => void
}

function Card({ card, on, onOpen }: CardProperties) {
  const { concept, tool, versions, acting, positives, negatives, examples } = card
  const [shown] = examples
  return (
    <button type="button" className={on ? 'concept on' : 'concept'} onClick={onOpen}>
      <span className="concept-crop">
        {shown !== undefined && <ExampleCrop example={shown} bare />}
      </span>
      <span className="concept-words">
        <b>{concept}</b> <span className="concept-tool">{tool}</span>
        <small>
          {acting.length === 0 ? words.memory.off : words.memory.acting(acting, versions)}
          {' · '}
          {words.memory.counts(positives, negatives)}
        </small>
      </span>
    </button>
  )
}

function Import({ notes, onDone }: { readonly notes: Notes; readonly onDone: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    try {
      const { concept, tool } = await importLesson(file)
      notes.say({ text: words.memory.imported(concept, tool) })
      onDone()
    } catch (error) {
      notes.say({ text: (error as ErrorData).message })
    }
  }
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {words.memory.import}
      </button>
      <input
        ref={input}
        className="hidden"
        type="file"
        accept=".zip,application/zip"
        tabIndex={-1}
        aria-label={words.memory.importFile}
        onChange={({ target }) => {
          void take(target.files?.[0])
          target.value = ''
        }}
      />
    </>
  )
}
