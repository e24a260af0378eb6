import type { Json } from '../base/index.ts'
import { workAsProcess } from '../queue/index.ts'
import type { Config } from './config.ts'
import { createPupil } from './create-pupil.ts'
import type { Environment } from './environment.ts'

/** What a worker process of lessons is told. */
export interface LearningOrder {
  readonly config: Config
  readonly env: Environment
}

// A process of `pupil start` and `pupil jobs work`: it works off lessons that wait and ends.
workAsProcess(async (setup: Json, { owner, signal }) => {
  const { config, env } = setup as unknown as LearningOrder
  const pupil = createPupil(config, { env })
  try {
    await pupil.learning.jobs.work({ once: true, owner, signal })
  } finally {
    await pupil.close()
  }
})
