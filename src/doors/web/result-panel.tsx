import type { RunDocument } from '../../app/index.ts'
import { CopyButton } from './copy-button.tsx'
import { CorrectDesk } from './correct-desk.tsx'
import type { PageAction, PageState } from './page-state.ts'
import { programTokens } from './program-tokens.ts'
import { testOf } from './run-test.ts'
import { SeekCard } from './seek-card.tsx'
import { StepList } from './step-list.tsx'
import type { Notes } from './toast.tsx'
import { TraceCard } from './trace-card.tsx'
import type { Correcting } from './use-correcting.ts'
import { words } from './words.ts'

interface Properties {
  readonly state: PageState
  readonly act: (action: PageAction) => void
  readonly correcting: Correcting
  readonly notes: Notes
  /** Asks the same again. */
  readonly onAgain: () => void
}

export function ResultPanel({ state, act, correcting, notes, onAgain }: Properties) {
  const { document: run, error, status, steps, program, phase, pointed } = state
  if (phase === 'idle') return null
  return (
    <div className="result">
      <div className="status" role="status" aria-live="polite">
        {status !== '' && (
          <p className="working">
            <span className="spinner" aria-hidden="true" />
            {status}
          </p>
        )}
        {run !== undefined && error === undefined && <AnswerCard run={run} />}
      </div>
      {error !== undefined && (
        <div className="card problem" role="alert">
          <p>{error.message}</p>
          {error.cure !== undefined && <p className="cure">{error.cure}</p>}
          <small>{error.code}</small>
        </div>
      )}
      {run !== undefined && phase === 'done' && run.status !== 'aborted' && (
        <CorrectDesk key={run.run} {...{ run, pointed, correcting, notes, onAgain }} />
      )}
      {run?.seek !== undefined && <SeekCard run={run} seek={run.seek} notes={notes} />}
      {run?.warnings.map((warning) => (
        <p key={warning} className="card warning">
          {warning}
        </p>
      ))}
      {steps.length > 0 && <StepList state={state} act={act} />}
      {program !== '' && <ProgramCard program={program} run={run} />}
      {run !== undefined && <TraceCard run={run} />}
    </div>
  )
}

function AnswerCard({ run }: { readonly run: RunDocument }) {
  const said = answerWords(run)
  if (said === undefined) return null
  return (
    <div className="card answer">
      <h2>{words.answer}</h2>
      <p className={said.length > 22 ? 'long' : ''}>{said}</p>
      {run.fallback !== undefined && <small>{run.fallback}</small>}
    </div>
  )
}

function answerWords({ answer, tags, family, image, inputs }: RunDocument): string | undefined {
  if (tags !== undefined) return words.tags(tags.length)
  if (image !== undefined) {
    const same = Object.values(inputs).some((input) => image.includes(input.image))
    return same ? words.unchanged : words.changed
  }
  if (family === 'nlvr') return answer === 'true' ? words.trueAnswer : words.falseAnswer
  return answer
}

function ProgramCard({ program, run }: { readonly program: string; readonly run?: RunDocument }) {
  return (
    <details className="card program" open>
      <summary>
        <h2>{words.program}</h2>
        {run?.making !== undefined && (
          <small>
            {words.madeBy[run.making.by]}
            {run.making.confidence !== undefined && `, ${words.near(run.making.confidence)}`}
          </small>
        )}
      </summary>
      {run?.making?.explanation !== undefined && (
        <p className="program-why">{run.making.explanation}</p>
      )}
      <pre tabIndex={0}>
        <code>
          {program.split('\n').map((line, index) => (
            <span key={index} className="line">
              {programTokens(line).map((token, at) => (
                <span key={at} className={`token-${token.kind}`}>
                  {token.text}
                </span>
              ))}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
      <div className="program-tools">
        <CopyButton text={() => program} label={words.copy} />
        {run !== undefined && <CopyButton text={() => testOf(run)} label={words.copyTest} />}
        {run !== undefined && (
          <a
            className="quiet button"
            href={`/v1/runs/${run.run}/rationale`}
            target="_blank"
            rel="noreferrer"
          >
            {words.explanation}
          </a>
        )}
      </div>
    </details>
  )
}
