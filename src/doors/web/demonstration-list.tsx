import { useDeferredValue, useMemo, useState } from 'react'
import type { ErrorData } from '../../base/index.ts'
import { readDemonstrations, removeDemonstration } from './memory-api.ts'
import type { Demonstration } from './memory-api.ts'
import type { Notes } from './toast.tsx'
import { usePages } from './use-pages.ts'
import { VirtualList } from './virtual-list.tsx'
import { words } from './words.ts'

/** Examples of plans and programs, right and wrong; those that people gave first. */
export function DemonstrationList({ notes }: { readonly notes: Notes }) {
  const address = '/v1/demonstrations?limit=1000'
  const { items, error, more, again } = usePages<Demonstration>(address, readDemonstrations)
  const [text, setText] = useState('')
  const asked = useDeferredValue(text.trim().toLowerCase())
  const shown = useMemo(() => {
    const all = items.filter(({ instruction, program = '', family }) =>
      `${family} ${instruction} ${program}`.toLowerCase().includes(asked),
    )
    const rank = ({ origin }: Demonstration): number => (origin === 'start' ? 1 : 0)
    return all.sort((a, b) => rank(a) - rank(b))
  }, [items, asked])
  const remove = async ({ id }: Demonstration): Promise<void> => {
    try {
      await removeDemonstration(id)
      again()
    } catch (cause) {
      notes.say({ text: (cause as ErrorData).message })
    }
  }
  return (
    <section className="card" aria-label={words.memory.parts.demonstrations}>
      <input
        className="field"
        type="search"
        value={text}
        aria-label={words.memory.search}
        placeholder={words.memory.search}
        onChange={({ target }) => setText(target.value)}
      />
      {error !== undefined && <p className="problem-line">{error.message}</p>}
      <VirtualList
        {...{ items: shown, onMore: more, height: 90, label: words.memory.parts.demonstrations }}
        keyOf={({ id }) => id}
      >
        {(one) => (
          <article className="lesson">
            <p>
              <b>{one.instruction}</b> <span className="concept-tool">{one.family}</span>{' '}
              <span className={one.verdict === 'right' ? 'lesson-status' : 'lesson-status undone'}>
                {words.memory.verdicts[one.verdict]}
              </span>{' '}
              <small className="soft">{words.memory.origins[one.origin]}</small>
            </p>
            {one.program !== undefined && (
              <pre className="demonstration" tabIndex={0} aria-label={words.program}>
                {one.program}
              </pre>
            )}
            {one.critique !== undefined && <p className="soft">{one.critique}</p>}
            {one.origin === 'human' && (
              <button type="button" className="chip" onClick={() => void remove(one)}>
                {words.memory.remove}
              </button>
            )}
          </article>
        )}
      </VirtualList>
    </section>
  )
}
