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
      <Modes mode={state.mode} act={act} />
      {state.mode === 'seek' && <StayHere offline={state.offline} act={act} />}
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

function Modes({ mode, act }: Pick<PageDesk['state'], 'mode'> & Pick<PageDesk, 'act'>) {
  return (
    <div className="modes" role="radiogroup" aria-label={words.modeLabel}>
      {MODES.map((one) => (
        <label key={one} className={mode === one ? 'mode on' : 'mode'}>
          <input
            type="radio"
            name="mode"
            value={one}
            checked={mode === one}
            onChange={() => act({ type: 'mode', mode: one })}
          />
          {words.modes[one]}
        </label>
      ))}
    </div>
  )
}

/** Whether a search may ask sources elsewhere. */
function StayHere({ offline, act }: Pick<PageDesk['state'], 'offline'> & Pick<PageDesk, 'act'>) {
  return (
    <label className="offline">
      <input
        type="checkbox"
        checked={offline}
        onChange={({ target }) => act({ type: 'offline', offline: target.checked })}
      />
      {words.seek.offline}
    </label>
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
