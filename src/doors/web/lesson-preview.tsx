import { useEffect, useRef, useState } from 'react'
import type { RunDocument } from '../../app/index.ts'
import type { Blame, ChangedAnswer, Corrected, Lesson } from './correct-api.ts'
import type { CorrectAction, CorrectState } from './correct-state.ts'
import { correctableAs, withoutOptions } from './correction.ts'
import { ExampleCrop } from './example-crop.tsx'
import { words } from './words.ts'

interface Properties {
  readonly run: RunDocument
  readonly state: CorrectState
  readonly came: Corrected
  readonly busy: boolean
  readonly act: (action: CorrectAction) => void
  readonly onTeach: (insist: boolean) => void
  readonly onOnlyThis: () => void
  readonly onLater: () => void
}

/** Whom reflection blames, what would be learnt, what that would change; and the choice. */
export function LessonPreview(properties: Properties) {
  const { run, state, came, busy, act, onTeach, onOnlyThis, onLater } = properties
  const { lesson, examples = [], verdict, nothing } = came
  const teach = useRef<HTMLButtonElement>(null)
  useEffect(() => teach.current?.focus(), [came])
  const [blame] = verdict?.blames ?? []
  const left = examples.length - state.without.length
  const isAgainst = lesson?.status === 'kept-out'
  return (
    <div className="would" aria-label={words.correct.would} role="group">
      {blame !== undefined && (
        <BlameLine blame={blame} isOwn={verdict?.by === 'user'} run={run} act={act} />
      )}
      {nothing !== undefined && <p className="warning">{withoutOptions(nothing)}</p>}
      {came.note !== undefined && <p>{came.note}</p>}
      {lesson !== undefined && (
        <>
          <p className="would-what">{words.correct.wouldLearn(lesson.concept, lesson.tool)}</p>
          {examples.length > 0 && (
            <ul className="examples" aria-label={words.correct.examples}>
              {examples.map((example) => (
                <li key={example.at}>
                  <ExampleCrop
                    example={example}
                    ticked={!state.without.includes(example.at)}
                    onTick={
                      examples.length > 1
                        ? () => act({ type: 'tick', example: example.at })
                        : undefined
                    }
                  />
                </li>
              ))}
            </ul>
          )}
          <EffectLines lesson={lesson} />
        </>
      )}
      <div className="would-choice">
        {lesson !== undefined && (
          <button
            ref={teach}
            type="button"
            className="primary"
            disabled={busy || (examples.length > 0 && left === 0)}
            onClick={() => onTeach(isAgainst)}
          >
            {isAgainst ? words.correct.teachAnyway : words.correct.teach}
          </button>
        )}
        <button type="button" disabled={busy} onClick={onOnlyThis}>
          {words.correct.onlyThis}
        </button>
        <button type="button" disabled={busy} onClick={onLater}>
          {words.correct.later}
        </button>
      </div>
    </div>
  )
}

interface BlameProperties {
  readonly blame: Blame
  /** The person named the step. */
  readonly isOwn: boolean
  readonly run: RunDocument
  readonly act: (action: CorrectAction) => void
}

function BlameLine({ blame, isOwn, run, act }: BlameProperties) {
  const [agreed, setAgreed] = useState(isOwn)
  const { step, location, confidence } = blame
  const tool = blame.tool ?? run.steps.find(({ index }) => index === step)?.tool ?? ''
  const text =
    location === 'tool' && step !== undefined
      ? words.correct.blamed(step + 1, tool, confidence, isOwn)
      : words.correct.blamedPlan(confidence, isOwn)
  const others = run.steps.filter((one) => one.index !== step && correctableAs(one) !== undefined)
  return (
    <div className="blame">
      <p>{text}</p>
      {!agreed && (
        <div className="chips">
          <button type="button" className="chip" onClick={() => setAgreed(true)}>
            {words.correct.agree}
          </button>
          {others.length > 0 && (
            <select
              aria-label={words.correct.noOther}
              value=""
              onChange={({ target }) => {
                const subject = { kind: 'step', index: Number(target.value) } as const
                act({ type: 'aim', subject, run })
              }}
            >
              <option value="" disabled>
                {words.correct.noOther}
              </option>
              {others.map((one) => (
                <option key={one.index} value={one.index}>
                  {words.step} {one.index + 1} {one.tool}
                </option>
              ))}
            </select>
          )}
          <button
            type="button"
            className="chip"
            onClick={() => act({ type: 'aim', subject: { kind: 'program' }, run })}
          >
            {words.correct.itWasThePlan}
          </button>
        </div>
      )}
    </div>
  )
}

/** The proof, the check on held-out examples, and what becomes of old answers. */
export function EffectLines({ lesson }: { readonly lesson: Lesson }) {
  const { effect, validation, reason } = lesson
  const { fixed = [], broken = [], changed = [], unchanged = 0, proof } = effect ?? {}
  const things = validation?.positives ?? 0
  const all = fixed.length + broken.length + changed.length + unchanged
  return (
    <div className="effect">
      {proof !== undefined && proof !== null && (
        <p className={proof === 'right' ? 'good' : 'bad'}>{words.correct.proof[proof]}</p>
      )}
      {validation?.recognised !== undefined && (
        <p>{words.correct.heldOut(validation.recognised, things)}</p>
      )}
      {all > 0 && (
        <p>{words.correct.oldAnswers(fixed.length, broken.length, changed.length, unchanged)}</p>
      )}
      {[...broken, ...fixed, ...changed].length > 0 && (
        <details>
          <summary>{words.correct.whichAnswers}</summary>
          <ul>
            {[
              ['broken', broken],
              ['fixed', fixed],
              ['changed', changed],
            ].flatMap(([kind, answers]) =>
              (answers as readonly ChangedAnswer[]).map((one) => (
                <li key={one.run}>
                  <a href={`/runs/${one.run}`}>{one.instruction || one.run}</a>{' '}
                  {words.correct.changedTo(one.before, one.after)}{' '}
                  <small>{words.correct.changeKinds[kind as 'broken']}</small>
                </li>
              )),
            )}
          </ul>
        </details>
      )}
      {reason !== undefined && <p className="warning">{words.correct.against(reason)}</p>}
    </div>
  )
}
