import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { cannotSend } from './page-state.ts'
import type { Mode } from './page-state.ts'
import type { PageDesk } from './use-run.ts'
import { examples, words } from './words.ts'

const MODES: readonly Mode[] = ['auto', 'ask', 'compare', 'edit', 'tag', 'seek']

export function Composer({ desk }: { readonly desk: PageDesk }) {
  const { state, act, send, stop } = desk
  const field = useRef<HTMLTextAreaElement>(null)
  const [hint, setHint] = useState<string>()
  const busy = state.phase === 'sending' || state.phase === 'running'
  const go = (): void => {
    const reason = cannotSend(state)
    setHint(reason)
    if (reason === undefined) void send()
  }
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!busy) go()
  }
  return (
    <form
      className="composer card"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) go()
      }}
    >
      <label htmlFor="instruction">{words.instruction}</label>
      <div className="composer-row">
        <textarea
          id="instruction"
          ref={field}
          rows={2}
          value={state.instruction}
          placeholder={words.placeholder}
          onChange={(event) => act({ type: 'write', instruction: event.target.value })}
          onKeyDown={key}
        />
        {busy ? (
          <button type="button" className="primary stop" onClick={() => void stop()}>
            {words.stop}
          </button>
        ) : (
          <button type="submit" className="primary">
            {words.go}
          </button>
        )}
      </div>
      <div className="modes" role="radiogroup" aria-label={words.modeLabel}>
        {MODES.map((mode) => (
          <label key={mode} className={state.mode === mode ? 'mode on' : 'mode'}>
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={state.mode === mode}
              onChange={() => act({ type: 'mode', mode })}
            />
            {words.modes[mode]}
          </label>
        ))}
      </div>
      {state.mode === 'seek' && (
        <label className="offline">
          <input
            type="checkbox"
            checked={state.offline}
            onChange={({ target }) => act({ type: 'offline', offline: target.checked })}
          />
          {words.seek.offline}
        </label>
      )}
      <p className="hint" role="alert">
        {hint}
      </p>
      <ul className="chips" aria-label={words.examples}>
        {chipsFor(state.mode, state.pictures.length).map((text) => (
          <li key={text}>
            <button
              type="button"
              className="chip"
              onClick={() => {
                act({ type: 'write', instruction: text })
                field.current?.focus()
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </form>
  )
}

function chipsFor(mode: Mode, pictures: number): readonly string[] {
  if (mode === 'auto') {
    return pictures === 2
      ? examples.compare
      : [examples.ask[0], examples.ask[2], examples.edit[0], examples.edit[2], examples.tag[0]]
  }
  return examples[mode]
}
