import type { TaskMode } from './api.ts'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Batch, BatchItem, BatchState } from './batch.ts'
import { nameOf } from './batch.ts'
import { EXPORTS, thingsOf } from './batch-export.ts'
import type { ExportForm } from './batch-export.ts'
import { VirtualList } from './virtual-list.tsx'
import { words } from './words.ts'
import './batch.css'

const MODES: readonly TaskMode[] = ['auto', 'ask', 'edit', 'tag']

interface Properties {
  readonly batch: Batch
  readonly onGo: (path: string) => void
}

/** Many pictures, one instruction, a table of what came of it. */
export function BatchPage({ batch, onGo }: Properties) {
  const state = useSyncExternalStore(batch.subscribe, batch.state)
  const { items, isGoing } = state
  return (
    <main className="screen batch" aria-label={words.screens.batch}>
      <section className="card batch-task" aria-label={words.batch.task}>
        <Pictures batch={batch} count={items.length} />
        <form
          className="batch-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isGoing && cannotStart(state) === undefined) batch.start()
          }}
        >
          <label className="correct-field">
            {words.instruction}
            <input
              type="text"
              value={state.instruction}
              placeholder={words.batch.placeholder}
              disabled={isGoing}
              onChange={({ target }) => batch.say({ instruction: target.value })}
            />
          </label>
          <label className="correct-field">
            {words.modeLabel}
            <select
              value={state.mode}
              disabled={isGoing}
              onChange={({ target }) => batch.say({ mode: target.value as TaskMode })}
            >
              {MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {words.modes[mode]}
                </option>
              ))}
            </select>
          </label>
          <Controls batch={batch} state={state} />
        </form>
      </section>
      {items.length > 0 && (
        <section className="card" aria-label={words.batch.results}>
          <ProgressLine state={state} />
          <Exports items={items} isAny={state.done + state.failed > 0} />
          <VirtualList
            {...{ items, height: 76, label: words.batch.results }}
            keyOf={({ file }) => nameOf(file)}
          >
            {(item) => <Row item={item} onGo={onGo} />}
          </VirtualList>
        </section>
      )}
    </main>
  )
}

function cannotStart({ items, instruction }: BatchState): string | undefined {
  if (items.length === 0) return words.batch.noPictures
  return instruction.trim() === '' ? words.noInstruction : undefined
}

function Pictures({ batch, count }: { readonly batch: Batch; readonly count: number }) {
  const many = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const add = (files: FileList | null): void =>
    batch.add(Array.from(files ?? []).filter(({ type }) => type.startsWith('image/')))
  return (
    <div
      className={over ? 'drop small over' : 'drop small'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        add(event.dataTransfer.files)
      }}
    >
      <p className="drop-title">{words.batch.drop}</p>
      <p>{count > 0 ? words.batch.chosen(count) : words.batch.dropMore}</p>
      <div className="chips">
        <button type="button" onClick={() => many.current?.click()}>
          {words.batch.choose}
        </button>
        <button type="button" onClick={() => folder.current?.click()}>
          {words.batch.folder}
        </button>
      </div>
      <input
        ref={many}
        className="hidden"
        type="file"
        accept="image/*"
        multiple
        tabIndex={-1}
        aria-label={words.batch.choose}
        onChange={({ target }) => add(target.files)}
      />
      <input
        ref={folder}
        className="hidden"
        type="file"
        tabIndex={-1}
        aria-label={words.batch.folder}
        onChange={({ target }) => add(target.files)}
        {...{ webkitdirectory: '' }}
      />
    </div>
  )
}

function Controls({ batch, state }: { readonly batch: Batch; readonly state: BatchState }) {
  const { isGoing, items, done, failed } = state
  const reason = cannotStart(state)
  const isBegun = done + failed > 0
  return (
    <div className="batch-controls">
      {isGoing ? (
        // A key of its own: else this very press would go on to submit what takes its place.
        <button key="pause" type="button" className="primary" onClick={() => batch.pause()}>
          {words.batch.pause}
        </button>
      ) : (
        <button
          key="go"
          type="submit"
          className="primary"
          disabled={reason !== undefined || done + failed === items.length}
        >
          {isBegun ? words.batch.goOn : words.go}
        </button>
      )}
      {failed > 0 && !isGoing && (
        <button type="button" onClick={() => batch.retry()}>
          {words.batch.retry(failed)}
        </button>
      )}
      {items.length > 0 && !isGoing && (
        <button type="button" className="quiet" onClick={() => batch.clear()}>
          {words.batch.clear}
        </button>
      )}
      {reason !== undefined && <small className="soft">{reason}</small>}
    </div>
  )
}

function ProgressLine({ state: { items, done, failed, isGoing } }: { readonly state: BatchState }) {
  const ended = done + failed
  return (
    <div className="batch-progress">
      <progress value={ended} max={items.length} aria-label={words.batch.progress} />
      <p role="status">{words.batch.sofar(done, failed, items.length, isGoing)}</p>
    </div>
  )
}

const FORMS = Object.keys(words.batch.exports) as readonly ExportForm[]

interface ExportProperties {
  readonly items: readonly BatchItem[]
  readonly isAny: boolean
}

function Exports({ items, isAny }: ExportProperties) {
  return (
    <div className="chips" role="group" aria-label={words.batch.export}>
      {FORMS.map((form) => (
        <button
          key={form}
          type="button"
          disabled={!isAny}
          onClick={() => {
            const { name, type, content } = EXPORTS[form](items)
            save(new Blob([content], { type }), name)
          }}
        >
          {words.batch.exports[form]}
        </button>
      ))}
    </div>
  )
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

interface RowProperties {
  readonly item: BatchItem
  readonly onGo: (path: string) => void
}

function Row({ item, onGo }: RowProperties) {
  const { file, state, run, error } = item
  const things = thingsOf(run)
  const path = run === undefined ? undefined : `/runs/${run.run}`
  return (
    <div className={`batch-row ${state}`}>
      <Thumbnail file={file} />
      <span className="batch-name">
        {path === undefined ? (
          nameOf(file)
        ) : (
          <a
            href={path}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              onGo(path)
            }}
          >
            {nameOf(file)}
          </a>
        )}
        <small>{words.batch.states[state]}</small>
      </span>
      <span className="batch-answer">
        {error !== undefined ? <span className="bad">{error.message}</span> : (run?.answer ?? '')}
        {run?.image !== undefined && (
          <a href={`${run.image}?download`} download>
            {words.download}
          </a>
        )}
        {things.length > 0 && <small>{words.objects(things.length)}</small>}
      </span>
    </div>
  )
}

/** A small picture of a file, made while its row is in sight. */
function Thumbnail({ file }: { readonly file: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return <img className="batch-thumbnail" src={address} alt="" loading="lazy" decoding="async" />
}
