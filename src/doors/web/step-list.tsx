import type { KeyboardEvent } from 'react'
import type { StepDocument } from '../../app/index.ts'
import type { PageAction, PageState } from './page-state.ts'
import { argumentWords, valueWords } from './regions.ts'
import { words } from './words.ts'

interface Properties {
  readonly state: PageState
  readonly act: (action: PageAction) => void
}

/** The steps; the one that is pointed at, by mouse or keyboard, is shown on the picture. */
export function StepList({ state: { steps, pointed }, act }: Properties) {
  const move = (event: KeyboardEvent<HTMLOListElement>): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[Math.min(buttons.length - 1, Math.max(0, at + by))]?.focus()
  }
  return (
    <section className="card steps" aria-label={words.steps}>
      <h2>{words.steps}</h2>
      <ol onKeyDown={move}>
        {steps.map((step, index) => (
          <li key={step.index}>
            <StepRow
              step={step}
              on={pointed === index}
              onPoint={() => act({ type: 'point', step: index })}
              onPress={() => act({ type: 'point', step: pointed === index ? undefined : index })}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

interface RowProperties {
  readonly step: StepDocument
  readonly on: boolean
  readonly onPoint: () => void
  readonly onPress: () => void
}

function StepRow({ step, on, onPoint, onPress }: RowProperties) {
  const args = argumentWords(step)
  const result = step.error === undefined ? valueWords(step.result) : step.error.message
  const { score } = step
  return (
    <>
      <button
        type="button"
        className={`step${on ? ' on' : ''}${step.error === undefined ? '' : ' failed'}`}
        aria-pressed={on}
        onMouseEnter={onPoint}
        onFocus={onPoint}
        onClick={onPress}
      >
        <span className="step-number">
          <span className="hidden">{words.step} </span>
          {step.index + 1}
          <span className="hidden">: </span>
        </span>
        <span className="step-call">
          <b>{step.tool}</b> {args !== '' && <span>{args}</span>}
          <span className="hidden"> {words.gave} </span>
        </span>
        <span className="step-result">{result}</span>{' '}
        <span className="step-time">
          {score !== undefined && <span className="step-score">{words.score(score)}</span>}{' '}
          {words.time(step.ms)}
        </span>
      </button>
      {step.notices.map((notice) => (
        <p key={notice.code} className="step-notice">
          {notice.message}
        </p>
      ))}
    </>
  )
}
