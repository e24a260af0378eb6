import type { BenchAnswering, BenchSetting } from './bench-answers.ts'
import type { BenchReport } from './bench-report.ts'
import type { LlavaBenchRequest, MmVetRequest, SeedRequest } from './chat-bench.ts'
import type { EvqaRequest, InfoSeekRequest, OkVqaRequest } from './knowledge-bench.ts'

export type { BenchAnswering, BenchReport, BenchSetting }

/** Which language model marks the answers, by its name. */
interface Judged {
  readonly judge?: string
}

/** A benchmark of others, its files, and who answers. */
export type BenchRequest =
  | ({ readonly bench: 'infoseek' } & InfoSeekRequest)
  | ({ readonly bench: 'okvqa' } & OkVqaRequest)
  | ({ readonly bench: 'evqa' } & Judged & Omit<EvqaRequest, keyof Judged>)
  | ({ readonly bench: 'llava-bench' } & LlavaBenchRequest)
  | ({ readonly bench: 'seed' } & SeedRequest)
  | ({ readonly bench: 'mm-vet' } & MmVetRequest)

/**
 * Scores a benchmark; agents and models are loaded when it is asked for, not with the library.
 *
 * @throws UserFault `E_FILE`, `E_SCORE_INPUT`, `E_MODEL_NAME`
 */
export async function runBench(request: BenchRequest, setting: BenchSetting): Promise<BenchReport> {
  switch (request.bench) {
    case 'infoseek':
      return (await import('./knowledge-bench.ts')).infoSeekReport(request)
    case 'okvqa':
      return (await import('./knowledge-bench.ts')).okVqaReport(request)
    case 'evqa': {
      const { judge: name, ...files } = request
      const judge =
        name === undefined ? undefined : (await import('./chat-bench.ts')).benchJudge(name, setting)
      const { evqaReport } = await import('./knowledge-bench.ts')
      return evqaReport({ ...files, judge }, setting)
    }
    case 'llava-bench':
      return (await import('./chat-bench.ts')).llavaBenchReport(request, setting)
    case 'seed':
      return (await import('./chat-bench.ts')).seedReport(request, setting)
    case 'mm-vet':
      return (await import('./chat-bench.ts')).mmVetReport(request, setting)
    default:
      return request satisfies never
  }
}
