import type { Image } from '../image/index.ts'
import type { PromptUse, ToolResult } from '../program/index.ts'
import { imageArg, textArg } from './args.ts'
import type { Answer, Answerer, Backends } from './backends.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'
import { noBackend, unavailable } from './unavailable.ts'

/** VQA: a short answer about a picture; the raw one stays in the trace (program-language §8). */
export function vqa(backends: Backends): Tool {
  return {
    signature: signatureOf('VQA'),
    run: async (args, context) => {
      const image = imageArg(args)
      const question = textArg(args, 'question')
      const taught = await taughtAnswer(backends, image, question, context.signal)
      if (taught !== undefined) return taught
      const refusals: Extract<Answer, { outcome: 'unavailable' }>[] = []
      for (const answerer of backends.answerers) {
        const answer = await answerer.answer(image, question, { signal: context.signal })
        if (answer.outcome !== 'unavailable') return toResult(answer, answerer)
        refusals.push(answer)
      }
      if (refusals.length === 0) throw noBackend('VQA', 'answer questions')
      const reason = refusals.map((refusal) => refusal.reason).join(' ')
      const would = [...new Set(refusals.map((refusal) => refusal.would))].join(' ')
      throw unavailable('VQA', reason, would, { question })
    },
  }
}

function toResult(
  answer: Exclude<Answer, { outcome: 'unavailable' }>,
  answerer: Answerer,
): ToolResult {
  const notices = answer.notices ?? []
  const models = answerer.models()
  const value = answer.outcome === 'answered' ? polishAnswer(answer.answer) : ''
  if (answer.outcome === 'unknown' || value === '') {
    const told = { code: 'N_UNKNOWN_ANSWER', message: answer.how ?? 'The model gave no answer.' }
    return {
      value: 'unknown',
      notices: [...notices, told],
      models,
      raw: answer.how ?? '',
      concepts: [],
    }
  }
  return {
    value,
    notices,
    models,
    concepts: [],
    raw: answer.how === undefined ? answer.answer : `${answer.answer} (${answer.how})`,
    ...(answer.score === null ? {} : { score: answer.score }),
    ...(answer.outcome === 'answered' && answer.uses !== undefined ? { prompts: answer.uses } : {}),
  }
}

/** What a person answered to this question about this picture. */
async function taughtAnswer(
  { taught }: Backends,
  image: Image,
  question: string,
  signal: AbortSignal | undefined,
): Promise<ToolResult | undefined> {
  if (taught === undefined) return undefined
  const uses: PromptUse[] = []
  const found = await taught.noting(uses).answer(image, question, { signal })
  if (found === undefined) return undefined
  const { answer, similarity } = found
  const raw = `${answer} (as a person answered; likeness of the pictures ${similarity.toFixed(2)})`
  return { value: polishAnswer(answer), concepts: [], prompts: uses, raw, score: similarity }
}

/** A short answer: trimmed, blanks collapsed, lower case, final period removed. */
export function polishAnswer(raw: string): string {
  return raw.normalize('NFC').replace(/\s+/g, ' ').trim().replace(/\.$/, '').trim().toLowerCase()
}
