import type { ReactNode } from 'react'
import type { StepDocument } from '../../app/index.ts'
import { correctableAs, stepPicture } from './correction.ts'
import type { Size } from './draw-box.ts'
import { DrawLayer } from './draw-layer.tsx'
import type { PageState } from './page-state.ts'
import type { Region } from './regions.ts'
import type { Correcting } from './use-correcting.ts'
import { words } from './words.ts'

/** What a person may put right on the picture, or is drawing there. */
export function drawingOn(
  on: string,
  { document: run, pointed, phase, before }: PageState,
  { state, act, check }: Correcting,
): { layer?: (size: Size) => ReactNode; onPick?: (region: Region) => void } {
  if (run === undefined || phase !== 'done' || before) return {}
  const step = pointed === undefined ? undefined : run.steps[pointed]
  const { subject, drawing } = state
  const aimed = 'index' in subject ? run.steps.find(({ index }) => index === subject.index) : step
  if (state.phase !== 'closed' && drawing && aimed !== undefined && placeOf(aimed) === on) {
    const box = isDrawn(subject) ? subject.box : undefined
    return {
      layer: (size) => (
        <DrawLayer
          {...{ size, box }}
          onBox={(drawn) => act({ type: 'drew', box: drawn })}
          onTap={(at) => act({ type: 'tapped', at, size, run })}
          onDone={() => void check()}
          onCancel={() => act({ type: 'draw', drawing: false })}
        />
      ),
    }
  }
  if (step === undefined || correctableAs(step) !== 'things') return {}
  const { index } = step
  return {
    onPick: ({ box }) =>
      act({ type: 'aim', subject: { kind: 'thing', index, box, drawn: false }, run }),
  }
}

/** The box that was drawn, once drawing has ended. */
export function drawnRegions(
  { document: run }: PageState,
  on: string,
  { state: { subject, drawing, phase, text } }: Correcting,
): readonly Region[] {
  if (run === undefined || phase === 'closed' || drawing || !isDrawn(subject)) return []
  const step = run.steps.find(({ index }) => index === subject.index)
  if (step === undefined || placeOf(step) !== on) return []
  return [{ kind: 'drawn', box: subject.box, label: text, score: null, on }]
}

type Subject = Correcting['state']['subject']

function isDrawn(subject: Subject): subject is Extract<Subject, { kind: 'thing' | 'moved' }> {
  return subject.kind === 'moved' || (subject.kind === 'thing' && subject.drawn)
}

function placeOf(step: StepDocument): string {
  return stepPicture(step)?.on ?? 'IMAGE'
}

interface Properties {
  readonly state: PageState
  readonly correcting: Correcting
}

/** The shortest way to show what a step did not see. */
export function DrawMissed({ state: { document: run, pointed, phase }, correcting }: Properties) {
  const step = run === undefined || pointed === undefined ? undefined : run.steps[pointed]
  if (run === undefined || phase !== 'done' || step === undefined) return null
  const { subject, drawing } = correcting.state
  if (correctableAs(step) !== 'things') return null
  if (drawing) {
    return (
      <button type="button" disabled={!isDrawn(subject)} onClick={() => void correcting.check()}>
        {words.correct.thisIsIt}
      </button>
    )
  }
  return (
    <button
      type="button"
      onClick={() => {
        correcting.act({ type: 'aim', subject: { kind: 'step', index: step.index }, run })
        correcting.act({ type: 'draw', drawing: true })
      }}
    >
      {words.correct.drawMissed}
    </button>
  )
}
