import { useState } from 'react'
import type { RunDocument, SeekDocument, SeekMove, SeekSource } from '../../app/index.ts'
import type { ErrorData } from '../../base/index.ts'
import { sendCorrection } from './correct-api.ts'
import type { Notes } from './toast.tsx'
import { words } from './words.ts'
import './seek.css'

interface Properties {
  readonly run: RunDocument
  readonly seek: SeekDocument
  readonly notes: Notes
}

/** Where an answer comes from, and the way it was found. */
export function SeekCard({ run, seek, notes }: Properties) {
  const { sources, path, conflicts, sourcesFailed, derivation, confidence, bindings } = seek
  return (
    <section className="card seek" aria-label={words.seek.title}>
      <h2>{words.seek.title}</h2>
      <p>
        {words.seek.kinds[seek.kind]}
        {confidence !== undefined && ` ${words.seek.sure(confidence)}`}
      </p>
      {bindings.length > 0 && <p>{words.seek.seen(bindings)}</p>}
      {derivation !== undefined && derivation !== '' && <p className="soft">{derivation}</p>}
      {sources.length > 0 && (
        <ol className="sources" aria-label={words.seek.sources}>
          {sources.map((source) => (
            <li key={source.number}>
              <Source {...{ run, source, notes }} />
            </li>
          ))}
        </ol>
      )}
      {conflicts.length > 0 && (
        <p className="warning">
          {words.seek.conflict}{' '}
          {conflicts.map(({ value, providers }) => `${value} (${providers.join(', ')})`).join('; ')}
        </p>
      )}
      {sourcesFailed.length > 0 && (
        <p className="soft">{words.seek.failed(sourcesFailed.length)}</p>
      )}
      {path.length > 0 && <Path path={path} />}
    </section>
  )
}

interface SourceProperties {
  readonly run: RunDocument
  readonly source: SeekSource
  readonly notes: Notes
}

function Source({ run, source, notes }: SourceProperties) {
  const [isWrong, setWrong] = useState(false)
  const { number, title, url, licence, quote, provider } = source
  // The document counts all steps; calls are named by their place among them.
  const call = run.steps.find(({ output }) => output === `s${source.step}`)
  const reject = async (index: number): Promise<void> => {
    try {
      const { note = words.correct.keptOnly } = await sendCorrection(run.run, {
        target: { kind: 'step', index },
        expected: { rejected: true },
        reason: 'wrong-fact',
      })
      setWrong(true)
      notes.say({ text: note })
    } catch (error) {
      notes.say({ text: (error as ErrorData).message })
    }
  }
  return (
    <>
      <span className="source-number" aria-hidden="true">
        {number}
      </span>
      <div>
        {url === undefined || !/^https?:/.test(url) ? (
          <b>{title ?? provider}</b>
        ) : (
          <a href={url} target="_blank" rel="noreferrer noopener">
            {title ?? url}
          </a>
        )}
        <blockquote>{quote}</blockquote>
        <small className="soft">
          {[provider, licence].filter((one) => one !== undefined).join(' · ')}
        </small>
      </div>
      {call !== undefined && (
        <button
          type="button"
          className="chip"
          disabled={isWrong}
          onClick={() => void reject(call.index)}
        >
          {isWrong ? words.seek.marked : words.seek.wrongFact}
        </button>
      )}
    </>
  )
}

/** The moves, those of a given-up way marked. */
function Path({ path }: { readonly path: readonly SeekMove[] }) {
  return (
    <details open>
      <summary>{words.seek.path}</summary>
      <ol className="path">
        {path.map((move) => (
          <li key={move.node} className={move.verdict ?? ''}>
            <p>
              <b>{move.tool}</b> {move.object !== undefined && <span>{move.object}</span>}{' '}
              {move.verdict !== undefined && (
                <span className="path-verdict">{words.seek.verdicts[move.verdict]}</span>
              )}
            </p>
            {move.question !== undefined && <p>{move.question}</p>}
            <p className="soft">{move.failed ?? move.learnt ?? move.reason}</p>
          </li>
        ))}
      </ol>
    </details>
  )
}
