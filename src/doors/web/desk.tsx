import { useCallback, useEffect } from 'react'
import { Composer } from './composer.tsx'
import { carriedBy, chosenFrom } from './picture-files.ts'
import type { Chosen } from './page-state.ts'
import { PictureChooser } from './picture-chooser.tsx'
import { ResultPanel } from './result-panel.tsx'
import { RunHistory } from './run-history.tsx'
import { Stage } from './stage.tsx'
import type { Notes } from './toast.tsx'
import { useCorrecting } from './use-correcting.ts'
import type { PageDesk } from './use-run.ts'

interface Properties {
  readonly desk: PageDesk
  readonly notes: Notes
}

/** Pictures beside the task, its answer and its steps. */
export function Desk({ desk, notes }: Properties) {
  const { state, act, open } = desk
  const correcting = useCorrecting(state.document)
  /** A picture that was kept with its run opens the run; any other is chosen. */
  const choose = useCallback(
    async (pictures: readonly Chosen[], instruction?: string) => {
      const run = pictures.length === 1 ? await carriedBy(pictures[0]) : undefined
      if (run !== undefined && (await open(run.run))) return
      act({ type: 'choose', pictures })
      const text = instruction ?? run?.instruction
      if (text !== undefined) act({ type: 'write', instruction: text })
    },
    [act, open],
  )

  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const pictures = chosenFrom(event.clipboardData?.files)
      if (pictures.length > 0) void choose(pictures)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [choose])

  return (
    <main className="desk">
      <section className="desk-picture" aria-label="Pictures">
        {state.pictures.length === 0 ? (
          <PictureChooser
            onChoose={(pictures, instruction) => void choose(pictures, instruction)}
          />
        ) : (
          <Stage state={state} act={act} correcting={correcting} />
        )}
      </section>
      <section className="desk-talk" aria-label="Task and result">
        <Composer desk={desk} />
        <ResultPanel
          {...{ state, act, correcting, notes }}
          onAgain={() => {
            notes.clear()
            void desk.send()
          }}
        />
        <RunHistory
          settled={state.phase === 'idle' || state.phase === 'done'}
          current={state.run}
          onOpen={(id) => void desk.open(id)}
        />
      </section>
    </main>
  )
}
