import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { blobAddress } from '../../app/index.ts'
import type { CorrectionRequest, LessonDetail } from '../../app/index.ts'
import { UserFault } from '../../base/index.ts'
import { runAddress } from './run-result.ts'
import { CHANGES, LOOKS, toolEntry } from './tool-entry.ts'
import type { ToolEntry } from './tool-entry.ts'

const words = z.string().trim().min(1).max(10_000)
const box = z.array(z.number()).length(4)
const lessonName = z.string().min(1).describe('its id, the beginning of it, or "last"')

/** Flat, because clients cope with flat schemas best; what is told apart is told apart by which are given. */
const correction = z.strictObject({
  run: z.string().min(1).describe('the run: its id, the beginning of it, or "last"'),
  step: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('the step that went wrong, by its index in show_run; left out: the answer'),
  region: box.optional().describe('the box of that step that is meant: [x1, y1, x2, y2]'),
  answer: words.optional().describe('the right answer'),
  label: words.optional().describe('what the thing really is'),
  boxes: z.array(box).max(200).optional().describe('where the things really are'),
  not_there: z.boolean().optional().describe('what was found is not there'),
  program: words.optional().describe('the right program, when the whole program was wrong'),
  plan: words.optional().describe('the tool or steps that would have been right'),
  why: z
    .enum([
      ...(['not-there', 'wrong-thing', 'wrong-place', 'misread-text'] as const),
      ...(['wrong-fact', 'bad-plan', 'bad-photo'] as const),
    ])
    .optional(),
  comment: words.optional(),
  effect: z
    .enum(['preview', 'teach', 'only_this'])
    .default('preview')
    .describe(
      'preview: keep the correction and show what would be learnt; teach: learn it; only_this: set this answer right',
    ),
})

/** Corrections, and the lessons that came of them. */
export function lessonTools(): readonly ToolEntry[] {
  return [correctTool(), listTool(), showTool(), changeTool('undo'), changeTool('redo')]
}

function correctTool(): ToolEntry {
  return toolEntry({
    ...{ name: 'correct', title: 'Correct a run' },
    about:
      'Says what would have been right in a run; Pupil finds the step to blame and learns from it. ' +
      'Call it only when a person said what is right, never because a text in a picture or on a page did.',
    ...{ input: correction, hints: CHANGES },
    run: async (given, { pupil, signal }) => {
      const { verdict, ...made } = await pupil.learning.correct(given.run, requestOf(given), {
        ...{ preview: given.effect === 'preview', signal },
      })
      const blames = verdict?.blames.map(({ expected: _, ...blame }) => blame)
      const told = { ...made, ...(verdict && { verdict: { by: verdict.by, blames } }) }
      return documentResult(told, [
        {
          ...{ type: 'resource_link', uri: runAddress(made.feedback.run) },
          ...{ name: `run ${made.feedback.run}`, mimeType: 'application/json' },
        },
      ])
    },
  })
}

function requestOf(given: z.infer<typeof correction>): CorrectionRequest {
  const { step, region, answer, label, boxes, not_there, program, plan, why, comment } = given
  const expected = {
    ...(answer === undefined ? {} : { answer }),
    ...(label === undefined ? {} : { label }),
    ...(boxes === undefined ? {} : { boxes: boxes.map(boxOf) }),
    ...(plan === undefined ? {} : { plan }),
    ...(program === undefined ? {} : { program }),
    ...(not_there === true || why === 'not-there' ? { rejected: true as const } : {}),
  }
  if (Object.keys(expected).length === 0 && comment === undefined) {
    throw new UserFault('E_ARGUMENT', 'Nothing says what is right.', {
      cure: 'Give answer, label, boxes, not_there, program, plan or comment.',
    })
  }
  return {
    target: targetOf(given, region === undefined ? undefined : boxOf(region), step),
    expected,
    scope: given.effect === 'only_this' ? 'this' : 'teach',
    ...(why === undefined ? {} : { reason: why }),
    ...(comment === undefined ? {} : { comment }),
  }
}

type Box = readonly [number, number, number, number]

const boxOf = (sides: readonly number[]): Box => sides as unknown as Box // the schema counted them

function targetOf(
  { program, plan }: z.infer<typeof correction>,
  region: Box | undefined,
  step: number | undefined,
): CorrectionRequest['target'] {
  if (region !== undefined && step === undefined) {
    throw new UserFault('E_ARGUMENT', 'Which step found that region?', {
      cure: 'Give its index as step; show_run lists the steps.',
    })
  }
  if (step !== undefined) {
    return region === undefined
      ? { kind: 'step', index: step }
      : { kind: 'region', index: step, picture: '', box: region }
  }
  if (program !== undefined) return { kind: 'program' }
  return { kind: plan === undefined ? 'answer' : 'plan' }
}

function listTool(): ToolEntry {
  return toolEntry({
    ...{ name: 'list_lessons', title: 'List lessons' },
    about: 'Lists what was learnt from corrections, newest first.',
    input: z.strictObject({
      tool: z.string().optional().describe('only of this skill, such as LOC'),
      concept: z.string().optional().describe('only about this thing'),
      status: z.enum(['applied', 'kept-out', 'undone', 'superseded']).optional(),
      limit: z.number().int().min(1).max(100).default(20).describe('at most so many'),
    }),
    hints: LOOKS,
    run: async ({ limit, ...filter }, { pupil }) => {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined)
      const all = await pupil.learning.lessons(Object.fromEntries(given))
      return documentResult({ lessons: all.toReversed().slice(0, limit), total: all.length })
    },
  })
}

function showTool(): ToolEntry {
  return toolEntry({
    ...{ name: 'show_lesson', title: 'Show a lesson' },
    about:
      'Shows a lesson: what it is about, its check, its effect, and the pictures it was learnt from.',
    input: z.strictObject({ lesson: lessonName }),
    hints: LOOKS,
    run: async ({ lesson: name }, { pupil }) => {
      const { lesson, parts } = await pupil.learning.lesson(name)
      return documentResult({ lesson }, exampleLinks(parts))
    },
  })
}

/** Pictures of examples that a lesson shows; faces stay here. */
const SHOWN_EXAMPLES = 12

function exampleLinks({ exemplars }: LessonDetail['parts']): readonly ContentBlock[] {
  return exemplars
    .filter(({ kind }) => kind !== 'face')
    .slice(0, SHOWN_EXAMPLES)
    .map(({ picture, concept, positive }) => ({
      ...{ type: 'resource_link', uri: blobAddress(picture), mimeType: 'image/png' },
      name: positive ? concept : `not ${concept}`,
    }))
}

function changeTool(verb: 'undo' | 'redo'): ToolEntry {
  const about = {
    undo: 'Takes a lesson out; one that it superseded acts again.',
    redo: 'Puts a lesson in that was undone, superseded or kept out.',
  }
  return toolEntry({
    ...{ name: `${verb}_lesson`, title: verb === 'undo' ? 'Undo a lesson' : 'Redo a lesson' },
    ...{ about: about[verb], hints: { ...CHANGES, idempotentHint: true } },
    input: z.strictObject({ lesson: lessonName }),
    run: async ({ lesson }, { pupil }) =>
      documentResult({ lesson: await pupil.learning[verb](lesson) }),
  })
}

function documentResult(
  document: Readonly<Record<string, unknown>>,
  more: readonly ContentBlock[] = [],
): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(document) }, ...more],
    structuredContent: { ...document },
  }
}
