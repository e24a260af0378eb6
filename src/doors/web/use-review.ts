import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ErrorData } from '../../base/index.ts'
import { answer, readRun, readRuns } from './api.ts'
import { sendCorrection, undoLesson } from './correct-api.ts'
import type { Lesson } from './correct-api.ts'
import { reviewBody, reviewCards } from './review.ts'
import type { Judged, ReviewCard, ReviewVerdict } from './review.ts'

/** What a person said of a card. */
export interface Decided {
  readonly card: ReviewCard
  readonly verdict: ReviewVerdict
  readonly state: 'sending' | 'kept' | 'undone' | 'failed'
  readonly lesson?: Lesson
  readonly error?: ErrorData
}

export interface Review {
  /** Undefined until it is known. */
  readonly cards: readonly ReviewCard[] | undefined
  /** Newest first; ten can still be changed. */
  readonly decided: readonly Decided[]
  readonly error?: ErrorData
  decide(card: ReviewCard, verdict: ReviewVerdict): void
  /** Takes a decision back: its lesson acts no longer, and the card comes again. */
  undo(one?: Decided): void
}

/** So many of the newest runs are looked through. */
const RUNS = 60
const AT_ONCE = 4
const EDITABLE = 10

export function useReview(): Review {
  const [all, setAll] = useState<readonly ReviewCard[]>()
  const [error, setError] = useState<ErrorData>()
  const [decided, setDecided] = useState<readonly Decided[]>([])
  // One after the other: a lesson must not be weighed against one that is being written.
  const queue = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => {
    let isLeft = false
    void readCards().then(
      (cards) => isLeft || setAll(cards),
      (cause: unknown) => isLeft || setError(cause as ErrorData),
    )
    return () => {
      isLeft = true
    }
  }, [])

  const change = useCallback((card: ReviewCard, to: Partial<Decided>) => {
    setDecided((now) => now.map((one) => (one.card.key === card.key ? { ...one, ...to } : one)))
  }, [])

  const decide = useCallback(
    (card: ReviewCard, verdict: ReviewVerdict) => {
      const others = (now: readonly Decided[]): readonly Decided[] =>
        now.filter((one) => one.card.key !== card.key)
      const state = verdict === 'unsure' ? 'kept' : 'sending'
      setDecided((now) => [{ card, verdict, state }, ...others(now)])
      if (verdict === 'unsure') return
      queue.current = queue.current.then(async () => {
        try {
          const { lesson } = await sendCorrection(card.run, reviewBody(card, verdict))
          change(card, { state: 'kept', ...(lesson === undefined ? {} : { lesson }) })
        } catch (cause) {
          change(card, { state: 'failed', error: cause as ErrorData })
        }
      })
    },
    [change],
  )

  const newest = useRef<readonly Decided[]>([])
  newest.current = decided
  const undo = useCallback(
    (given?: Decided) => {
      const one = given ?? newest.current.find(({ state }) => state !== 'undone')
      if (one === undefined) return
      queue.current = queue.current.then(async () => {
        const now = newest.current.find(({ card }) => card.key === one.card.key)
        try {
          if (now?.lesson?.status === 'applied') await undoLesson(now.lesson.id)
          change(one.card, { state: 'undone', lesson: undefined })
        } catch (cause) {
          change(one.card, { state: 'failed', error: cause as ErrorData })
        }
      })
    },
    [change],
  )

  const cards = useMemo(() => all && openCards(all, decided), [all, decided])
  const failed = error === undefined ? {} : { error }
  return { cards, decided: decided.slice(0, EDITABLE), ...failed, decide, undo }
}

/** What is not decided, and at the end what was left open. */
function openCards(all: readonly ReviewCard[], decided: readonly Decided[]): readonly ReviewCard[] {
  const standing = decided.filter(({ state }) => state !== 'undone')
  const of = (isUnsure: boolean): ReadonlySet<string> =>
    new Set(
      standing
        .filter(({ verdict }) => (verdict === 'unsure') === isUnsure)
        .map(({ card }) => card.key),
    )
  const [done, unsure] = [of(false), of(true)]
  const open = all.filter(({ key }) => !done.has(key))
  return [
    ...open.filter(({ key }) => !unsure.has(key)),
    ...open.filter(({ key }) => unsure.has(key)),
  ]
}

async function readCards(): Promise<readonly ReviewCard[]> {
  const { runs } = await readRuns(`/v1/runs?limit=${RUNS}`)
  const done = runs.filter(({ status, family }) => status === 'done' && family !== 'seek')
  const takenBack = await undoneCorrections()
  const read: { run: Awaited<ReturnType<typeof readRun>>; judged: readonly Judged[] }[] = []
  for (let at = 0; at < done.length; at += AT_ONCE) {
    const some = done.slice(at, at + AT_ONCE).map(async ({ id }) => {
      const run = await readRun(id)
      const { corrections } = await answer<{ corrections: readonly (Judged & { id: string })[] }>(
        fetch(`/v1/runs/${id}/corrections`),
      )
      return { run, judged: corrections.filter((one) => !takenBack.has(one.id)) }
    })
    read.push(...(await Promise.all(some)))
  }
  return reviewCards(read)
}

/** Corrections whose lesson was undone: what they are about is open again. */
async function undoneCorrections(): Promise<ReadonlySet<string | null>> {
  const address = '/v1/lessons?status=undone&limit=1000'
  const { lessons } = await answer<{ lessons: readonly Lesson[] }>(fetch(address))
  return new Set(lessons.map(({ feedback }) => feedback))
}
