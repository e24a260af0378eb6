import { useEffect, useRef } from 'react'
import type { FormEvent } from 'react'
import type { RunDocument } from '../../app/index.ts'
import type { Reason } from './correct-api.ts'
import { correctableAs, isMissing, thingsFound } from './correction.ts'
import type { Subject } from './correction.ts'
import { LessonPreview } from './lesson-preview.tsx'
import { argumentWords } from './regions.ts'
import type { Correcting } from './use-correcting.ts'
import { words } from './words.ts'

const REASONS: readonly Reason[] = [
  ...(['not-there', 'wrong-thing', 'wrong-place', 'misread-text'] as const),
  ...(['wrong-fact', 'bad-plan', 'bad-photo'] as const),
]

export interface CardProperties {
  readonly run: RunDocument
  readonly correcting: Correcting
  readonly onTeach: (insist: boolean) => void
  readonly onOnlyThis: () => void
  readonly onLater: () => void
}

/** What is right instead, why, and what would be learnt from it. */
export function CorrectCard({ run, correcting, onTeach, onOnlyThis, onLater }: CardProperties) {
  const { state, act, check } = correcting
  const { subject, reason, phase, error } = state
  const busy = phase === 'checking' || phase === 'teaching'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!busy && isMissing(state) === undefined) void check()
  }
  return (
    <section className="card correct" aria-label={words.correct.title}>
      <div className="correct-head">
        <h2>{words.correct.title}</h2>
        <button
          type="button"
          className="quiet round"
          aria-label={words.close}
          onClick={() => act({ type: 'close' })}
        >
          <span aria-hidden="true">×</span>
        </button>
      </div>
      <form onSubmit={submit}>
        <label htmlFor="correct-what">{words.correct.what}</label>
        <select
          id="correct-what"
          value={subjectKey(subject)}
          onChange={({ target }) => act({ type: 'aim', subject: subjectOf(target.value), run })}
        >
          {run.answer !== undefined && <option value="answer">{words.correct.theAnswer}</option>}
          {run.steps.map(
            (step) =>
              correctableAs(step) !== undefined && (
                <option key={step.index} value={step.index}>
                  {words.correct.stepOption(step.index + 1, step.tool, argumentWords(step))}
                </option>
              ),
          )}
          {run.agent !== 'seeking' && <option value="program">{words.correct.theProgram}</option>}
        </select>
        <What run={run} correcting={correcting} />
        <fieldset className="why">
          <legend>{words.correct.why}</legend>
          {REASONS.map((one) => (
            <button
              key={one}
              type="button"
              className={one === reason ? 'chip on' : 'chip'}
              aria-pressed={one === reason}
              onClick={() => act({ type: 'why', reason: one, run })}
            >
              {words.correct.reasons[one]}
            </button>
          ))}
        </fieldset>
        {(phase === 'open' || phase === 'checking') && (
          <div className="correct-go">
            <button type="submit" className="primary" disabled={isMissing(state) !== undefined}>
              {busy ? words.correct.checking : words.correct.check}
            </button>
            <small>{words.correct.nothingYet}</small>
          </div>
        )}
      </form>
      {error !== undefined && (
        <p className="problem-line" role="alert">
          {error.message} {error.cure}
        </p>
      )}
      {state.came !== undefined && (
        <LessonPreview
          {...{ run, state, act, onTeach, onOnlyThis, onLater }}
          came={state.came}
          busy={busy}
        />
      )}
    </section>
  )
}

function subjectKey(subject: Subject): string {
  const { kind } = subject
  return kind === 'answer' || kind === 'program' ? kind : String(subject.index)
}

function subjectOf(key: string): Subject {
  if (key === 'answer' || key === 'program') return { kind: key }
  return { kind: 'step', index: Number(key) }
}

type WhatProperties = Pick<CardProperties, 'run' | 'correcting'>

function What({ run, correcting: { state, act } }: WhatProperties) {
  const { subject, text, rejected } = state
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const isDrawn = subject.kind === 'thing' && subject.drawn
  const key = `${subjectKey(subject)} ${'box' in subject ? subject.box.join(' ') : ''}`
  useEffect(() => {
    // While a box is moved by keys the picture keeps the focus.
    if (state.drawing || isDrawn) return
    field.current?.focus({ preventScroll: true })
    field.current?.select()
  }, [key, state.drawing, isDrawn])
  const shared = {
    ref: field,
    value: text,
    disabled: rejected,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      act({ type: 'write', text: target.value }),
  }
  if (subject.kind === 'program') {
    return (
      <label className="correct-field">
        {words.correct.rightProgram}
        <textarea {...shared} rows={6} spellCheck={false} />
      </label>
    )
  }
  return (
    <>
      <label className="correct-field">
        {labelOf(subject, run)}
        <input {...shared} type="text" autoComplete="off" maxLength={200} />
      </label>
      {subject.kind !== 'answer' && <Place run={run} correcting={{ state, act }} />}
    </>
  )
}

function labelOf(subject: Subject, run: RunDocument): string {
  if (subject.kind === 'answer' || subject.kind === 'program') return words.correct.rightAnswer
  const step = run.steps.find(({ index }) => index === subject.index)
  if (step !== undefined && correctableAs(step) === 'words') return words.correct.rightWords
  if (subject.kind === 'step') return words.correct.allAre
  return words.correct.thisIs
}

interface PlaceProperties {
  readonly run: RunDocument
  readonly correcting: Pick<Correcting, 'state' | 'act'>
}

/** Which of the things that a step found is meant, or where the one is that it missed. */
function Place({ run, correcting: { state, act } }: PlaceProperties) {
  const { subject, drawing, rejected } = state
  if (!('index' in subject)) return null
  const step = run.steps.find(({ index }) => index === subject.index)
  if (step === undefined || correctableAs(step) !== 'things') return null
  const found = thingsFound(step)
  const { index } = step
  const box = 'box' in subject ? subject.box.join(' ') : ''
  const whole: Subject = { kind: 'step', index }
  return (
    <div className="correct-place">
      {found.length > 0 && (
        <div className="chips" role="group" aria-label={words.correct.whichOne}>
          <Pick
            on={subject.kind === 'step'}
            text={words.correct.everything(found.length)}
            onPick={() => act({ type: 'aim', subject: whole, run })}
          />
          {found.map((one, at) => (
            <Pick
              key={at}
              on={one.box.join(' ') === box}
              text={`${at + 1} ${one.label}`}
              onPick={() => {
                const thing = { kind: 'thing', index, box: one.box, drawn: false } as const
                act({ type: 'aim', subject: thing, run })
              }}
            />
          ))}
        </div>
      )}
      <div className="chips">
        <button
          type="button"
          aria-pressed={drawing}
          onClick={() => act({ type: 'draw', drawing: !drawing })}
        >
          {drawing ? words.correct.drawDone : words.correct.draw}
        </button>
        {(subject.kind === 'step'
          ? found.length > 0
          : subject.kind === 'thing' && !subject.drawn) && (
          <button
            type="button"
            aria-pressed={rejected}
            onClick={() => act({ type: 'reject', rejected: !rejected })}
          >
            {words.correct.notThere}
          </button>
        )}
      </div>
      {drawing && (
        <p id="draw-how" className="soft">
          {words.correct.drawHow}
        </p>
      )}
    </div>
  )
}

function Pick({ on, text, onPick }: { on: boolean; text: string; onPick: () => void }) {
  return (
    <button type="button" className={on ? 'chip on' : 'chip'} aria-pressed={on} onClick={onPick}>
      {text}
    </button>
  )
}
