import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { RunDocument } from '../../app/index.ts'
import type { ErrorData } from '../../base/index.ts'
import { sendCorrection } from './correct-api.ts'
import type { Corrected, CorrectionBody, TeachChoice } from './correct-api.ts'
import { correctReducer, noCorrection } from './correct-state.ts'
import type { CorrectAction, CorrectState } from './correct-state.ts'
import { correctionBody, isMissing } from './correction.ts'

/** A correction in the making, joined to the API. */
export interface Correcting {
  readonly state: CorrectState
  readonly act: (action: CorrectAction) => void
  /** The answer is right. @returns whether that was kept */
  right(): Promise<boolean>
  /** Shows what would be learnt; nothing acts yet. */
  check(): Promise<void>
  /** Learns it, whatever speaks against it when `insist`. @returns what came of it */
  teach(insist?: boolean): Promise<Corrected | undefined>
  /** Keeps the correction and learns nothing. @returns whether that was kept */
  onlyThis(): Promise<boolean>
}

export function useCorrecting(run: RunDocument | undefined): Correcting {
  const [state, act] = useReducer(correctReducer, noCorrection)
  const checking = useRef(new AbortController())
  const id = run?.run
  useEffect(() => {
    act({ type: 'close' })
    return () => checking.current.abort()
  }, [id])

  const send = useCallback(
    async (choice: TeachChoice, more: Partial<CorrectionBody> = {}, signal?: AbortSignal) => {
      if (run === undefined) return undefined
      try {
        const body = { ...correctionBody(state, run), ...more }
        return await sendCorrection(run.run, body, choice, signal)
      } catch (error) {
        if (signal?.aborted !== true) act({ type: 'refused', error: error as ErrorData })
        return undefined
      }
    },
    [run, state],
  )

  const check = useCallback(async () => {
    if (isMissing(state) !== undefined) return
    checking.current.abort()
    const { signal } = (checking.current = new AbortController())
    act({ type: 'check' })
    const came = await send({ preview: true }, {}, signal)
    if (came !== undefined && !signal.aborted) act({ type: 'checked', came })
  }, [send, state])

  const teach = useCallback(
    async (insist = false) => {
      act({ type: 'teach' })
      return send({ insist, without: state.without })
    },
    [send, state.without],
  )

  const onlyThis = useCallback(async () => {
    act({ type: 'teach' })
    return (await send({}, { scope: 'this' })) !== undefined
  }, [send])

  const right = useCallback(async () => {
    if (run === undefined) return false
    try {
      await sendCorrection(run.run, rightBody(run))
      return true
    } catch (error) {
      act({ type: 'refused', error: error as ErrorData })
      return false
    }
  }, [run])

  return { state, act, right, check, teach, onlyThis }
}

/** A picture has no answer in words: that it is right is kept as a remark. */
function rightBody({ answer, agent }: RunDocument): CorrectionBody {
  const target = { kind: 'answer' } as const
  // Else what a search found would become a fact of the person's own.
  if (agent === 'seeking' && answer !== undefined) {
    return { target, expected: { answer }, scope: 'this' }
  }
  if (answer !== undefined) return { target, expected: { answer } }
  return { target, expected: {}, comment: 'right', scope: 'this' }
}
