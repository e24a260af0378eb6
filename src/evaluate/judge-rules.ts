import type { JudgeRule } from './llava-bench.ts'

const SCALE =
  'Rate both answers for helpfulness, relevance, accuracy and level of detail, each with a whole number from 1 (worst) to 10 (best). You do not see the picture: the context above says what is in it, and is right. On the first line write the two numbers alone, separated by one blank, the first answer first. Then explain in a few sentences, without favouring an answer for its place or its length.'

/** What a category is judged by, when the user gives no rule file: our own words, not those published. */
const ABOUT: Readonly<Record<string, string>> = {
  conv: 'The question is part of a conversation about the picture; an answer should be to the point.',
  detail:
    'The question asks for a description; count what is described rightly, and what is made up.',
  complex: 'The question needs reasoning about the picture; the way to the conclusion must hold.',
  grounding:
    'The question asks where things are; boxes and counts must agree with those of the context.',
  tagging: 'The question asks what is in the picture; things named must be there, none left out.',
  caption: 'The question asks for a caption; it must fit the picture and say what matters in it.',
  ocr: 'The question asks for text in the picture; it must be read letter by letter.',
}

/** Rules for the categories of LLaVA-Bench (COCO, In-the-Wild) and of the tools bench, in our own words. */
export const JUDGE_RULES: Readonly<Record<string, JudgeRule>> = Object.fromEntries(
  Object.entries(ABOUT).flatMap(([category, about]) => {
    const rule: JudgeRule = { role: 'Assistant', prompt: `${about} ${SCALE}` }
    return [[category, rule] as const, [`llava_bench_${category}`, rule] as const]
  }),
)
