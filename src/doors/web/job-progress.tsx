import { useEffect, useState } from 'react'
import type { JobDocument } from '../../app/index.ts'
import { jobOf, listenToJob } from './memory-api.ts'
import { words } from './words.ts'

const STAGES = ['collect', 'tune', 'prove', 'apply'] as const

/** How the tuning of a lesson's prompts goes on in the background; nothing where there is no such job. */
export function JobProgress({ lesson }: { readonly lesson: string }) {
  const [job, setJob] = useState<JobDocument>()
  useEffect(() => {
    let hangUp = (): void => {}
    let isLeft = false
    void jobOf(lesson).then(
      (found) => {
        if (found === undefined || isLeft) return
        setJob(found)
        hangUp = listenToJob(found.id, setJob)
      },
      // Without jobs there is nothing to show.
      () => {},
    )
    return () => {
      isLeft = true
      hangUp()
    }
  }, [lesson])
  if (job === undefined) return null
  return (
    <div className="job">
      <ol aria-label={words.job.label}>
        {STAGES.map((stage) => {
          const isDone = job.stages.includes(stage)
          const isNow = job.state === 'running' && !isDone && nextOf(job) === stage
          return (
            <li key={stage} className={isDone ? 'done' : isNow ? 'now' : ''}>
              <span aria-hidden="true">{isDone ? '✓' : isNow ? '…' : '·'}</span>{' '}
              {words.job.stages[stage]}
              <span className="hidden">
                {' '}
                {isDone ? words.job.isDone : isNow ? words.job.isNow : ''}
              </span>
            </li>
          )
        })}
      </ol>
      <p className="soft">{jobWords(job)}</p>
    </div>
  )
}

function nextOf({ stages }: JobDocument): string | undefined {
  return STAGES.find((one) => !stages.includes(one))
}

/** What the job has come to, in a line. */
function jobWords({ state, nothing, error, tuned }: JobDocument): string {
  if (error !== null) return words.job.failed(error)
  if (nothing !== null) return words.job.nothing(nothing)
  const { plain, tuned: now } = scoresOf(tuned)
  if (plain !== undefined && typeof now === 'number') return words.job.scores(plain, now)
  return words.job.states[state]
}

function scoresOf(tuned: unknown): { readonly plain?: number; readonly tuned?: number | null } {
  return (tuned as { scores?: { plain: number; tuned: number | null } } | null)?.scores ?? {}
}
