import { words } from './words.ts'

interface Properties {
  readonly chosen: 'right' | 'wrong' | undefined
  readonly onRight: () => void
  readonly onWrong: () => void
  readonly onUnsure: () => void
}

/** Right, wrong, not sure: by button, or by A, X and S. */
export function JudgeBar({ chosen, onRight, onWrong, onUnsure }: Properties) {
  const { judge } = words.correct
  return (
    <div className="judge" role="group" aria-label={judge.label}>
      <button
        type="button"
        aria-pressed={chosen === 'right'}
        aria-keyshortcuts="a"
        onClick={onRight}
      >
        <span aria-hidden="true">✓</span> {judge.right} <kbd aria-hidden="true">A</kbd>
      </button>
      <button
        type="button"
        aria-pressed={chosen === 'wrong'}
        aria-keyshortcuts="x"
        onClick={onWrong}
      >
        <span aria-hidden="true">✗</span> {judge.wrong} <kbd aria-hidden="true">X</kbd>
      </button>
      <button type="button" aria-keyshortcuts="s" onClick={onUnsure}>
        <span aria-hidden="true">?</span> {judge.unsure} <kbd aria-hidden="true">S</kbd>
      </button>
    </div>
  )
}
