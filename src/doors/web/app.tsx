import { useEffect, useState } from 'react'
import { readRuns } from './api.ts'
import type { RunRow } from './api.ts'
import { Composer } from './composer.tsx'
import { Header } from './header.tsx'
import { chosenFrom } from './picture-files.ts'
import { PictureChooser } from './picture-chooser.tsx'
import { ResultPanel } from './result-panel.tsx'
import { RunHistory } from './run-history.tsx'
import { Stage } from './stage.tsx'
import { usePage } from './use-run.ts'

export function App() {
  const desk = usePage()
  const { state, act } = desk
  const [runs, setRuns] = useState<readonly RunRow[]>([])

  useEffect(() => {
    if (state.phase === 'idle' || state.phase === 'done') void readRuns().then(setRuns, () => {})
  }, [state.phase])

  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const pictures = chosenFrom(event.clipboardData?.files)
      if (pictures.length > 0) act({ type: 'choose', pictures })
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [act])

  return (
    <>
      <Header />
      <main className="desk">
        <section className="desk-picture" aria-label="Pictures">
          {state.pictures.length === 0 ? (
            <PictureChooser
              onChoose={(pictures, more) => {
                act({ type: 'choose', pictures })
                if (more !== undefined) act({ type: 'write', instruction: more })
              }}
            />
          ) : (
            <Stage state={state} act={act} />
          )}
        </section>
        <section className="desk-talk" aria-label="Task and result">
          <Composer desk={desk} />
          <ResultPanel state={state} act={act} />
          <RunHistory runs={runs} current={state.run} onOpen={(id) => void desk.open(id)} />
        </section>
      </main>
    </>
  )
}
