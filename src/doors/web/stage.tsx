import { useRef, useState } from 'react'
import { pictureAddress } from './api.ts'
import { DrawMissed, drawingOn, drawnRegions } from './stage-drawing.tsx'
import type { Chosen, PageAction, PageState } from './page-state.ts'
import { chosenFrom } from './picture-files.ts'
import { madePicture, stepRegions, tagRegions } from './regions.ts'
import type { Region } from './regions.ts'
import { KeepRun } from './keep-run.tsx'
import { StagePicture } from './stage-picture.tsx'
import type { Correcting } from './use-correcting.ts'
import { words } from './words.ts'

interface Properties {
  readonly state: PageState
  readonly act: (action: PageAction) => void
  readonly correcting: Correcting
}

export function Stage({ state, act, correcting }: Properties) {
  const { pictures, document: run } = state
  const names = pictures.length === 2 ? ['LEFT', 'RIGHT'] : ['IMAGE']
  const busy = state.phase === 'sending' || state.phase === 'running'
  const edited = run?.image !== undefined
  const [from, setFrom] = useState(0)
  const split = edited && run.tags === undefined && state.pointed === undefined && !state.before
  return (
    <div className="stage">
      <div className={pictures.length === 2 ? 'stage-pictures two' : 'stage-pictures'}>
        {pictures.map((picture, index) => {
          const on = names[index] ?? 'IMAGE'
          return (
            <figure key={picture.address} className="stage-figure">
              {pictures.length === 2 && (
                <figcaption>{index === 0 ? words.left : words.right}</figcaption>
              )}
              <StagePicture
                address={split && from > 0 ? picture.address : shownAddress(state, picture, on)}
                over={
                  split && from > 0 && run.image !== undefined
                    ? { address: run.image, from }
                    : undefined
                }
                name={picture.name}
                size={run?.inputs[on]?.original}
                regions={[...shownRegions(state, on), ...drawnRegions(state, on, correcting)]}
                busy={busy}
                {...drawingOn(on, state, correcting)}
              >
                {!busy && (
                  <button
                    type="button"
                    className="stage-remove round"
                    aria-label={words.remove}
                    title={words.remove}
                    onClick={() => act({ type: 'remove', index })}
                  >
                    <span aria-hidden="true">×</span>
                  </button>
                )}
              </StagePicture>
            </figure>
          )
        })}
      </div>
      {split && <BeforeAfter from={from} onMove={setFrom} />}
      <div className="stage-tools">
        <DrawMissed state={state} correcting={correcting} />
        {pictures.length === 1 && !busy && !edited && <AddSecond act={act} />}
        {edited && run.image !== undefined && (
          <>
            <button type="button" onClick={() => act({ type: 'before', before: !state.before })}>
              {state.before ? words.result : words.original}
            </button>
            <a className="button" href={`${run.image}?download`} download>
              {words.download}
            </a>
          </>
        )}
        {run !== undefined && <KeepRun run={run} />}
      </div>
    </div>
  )
}

/** Moves the border between the picture as it was and the result. */
function BeforeAfter({
  from,
  onMove,
}: {
  readonly from: number
  readonly onMove: (from: number) => void
}) {
  return (
    <div className="stage-slider">
      <span aria-hidden="true">{words.before}</span>
      <input
        type="range"
        min="0"
        max="100"
        value={from}
        aria-label={words.slider}
        aria-valuetext={`${100 - from} %`}
        onChange={(event) => onMove(Number(event.target.value))}
      />
      <span aria-hidden="true">{words.after}</span>
    </div>
  )
}

function AddSecond({ act }: Pick<Properties, 'act'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className="quiet" onClick={() => input.current?.click()}>
        + {words.addSecond}
      </button>
      <input
        ref={input}
        className="hidden"
        type="file"
        accept="image/*"
        aria-label={words.addSecond}
        onChange={(event) => {
          const [picture] = chosenFrom(event.target.files)
          if (picture !== undefined) act({ type: 'add', picture })
        }}
      />
    </>
  )
}

/** What the step that is pointed at made, the result, or the input. */
function shownAddress(state: PageState, picture: Chosen, on: string): string {
  if (state.before) return picture.address
  const step = state.pointed === undefined ? undefined : state.steps[state.pointed]
  const made = madePicture(step, on)
  if (made !== undefined) return pictureAddress(made)
  // TAG draws on the picture; the page draws the tags itself, sharper.
  const { document: run } = state
  const result = run?.tags === undefined && state.pointed === undefined ? run?.image : undefined
  return result ?? picture.address
}

function shownRegions(state: PageState, on: string): readonly Region[] {
  if (state.before) return []
  const step = state.pointed === undefined ? undefined : state.steps[state.pointed]
  const regions =
    step !== undefined
      ? stepRegions(step)
      : state.document === undefined
        ? []
        : tagRegions(state.document)
  return regions.filter((one) => one.on === on)
}
