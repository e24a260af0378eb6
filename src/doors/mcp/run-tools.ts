import { z } from 'zod'
import { blobAddress, runDocument } from '../../app/index.ts'
import { perform } from './perform.ts'
import { pictureSchema, readPicture } from './picture-input.ts'
import { runAddress, runOutput } from './run-result.ts'
import { LOOKS, MAKES, toolEntry } from './tool-entry.ts'
import type { McpOptions, ToolEntry } from './tool-entry.ts'

const budget = z
  .strictObject({
    calls: z.number().int().nonnegative().optional(),
    tokens: z.number().int().nonnegative().optional(),
    seconds: z.number().nonnegative().optional(),
    money: z.number().nonnegative().optional(),
  })
  .optional()
  .describe('limits of this run: requests to language models, tokens, seconds, money')

const instruction = (about: string) => z.string().trim().min(1).max(2000).describe(about)

/** Tasks in words: Pupil writes a program for each, runs it and records every step. */
export function taskTools({ files }: McpOptions): readonly ToolEntry[] {
  const picture = pictureSchema(files)
  return [
    toolEntry({
      name: 'ask',
      title: 'Ask about a picture',
      about: 'Answers a question about one picture by running visible steps.',
      input: z.strictObject({ picture, question: instruction('the question'), budget }),
      ...{ output: runOutput, hints: LOOKS },
      run: async ({ picture: one, question, budget: limits }, call) =>
        perform(
          {
            ...{ family: 'gqa', instruction: question },
            pictures: [await readPicture(one, 'picture', call)],
          },
          call,
          { budget: limits },
        ),
    }),
    toolEntry({
      name: 'compare',
      title: 'Compare two pictures',
      about: 'Says whether a statement about two pictures, left and right, is true.',
      input: z.strictObject({
        left: pictureSchema(files, 'the left picture'),
        right: pictureSchema(files, 'the right picture'),
        statement: instruction('what is said of the two pictures'),
        budget,
      }),
      ...{ output: runOutput, hints: LOOKS },
      run: async ({ left, right, statement, budget: limits }, call) =>
        perform(
          {
            ...{ family: 'nlvr', instruction: statement },
            pictures: await Promise.all([
              readPicture(left, 'left', call),
              readPicture(right, 'right', call),
            ]),
          },
          call,
          { budget: limits },
        ),
    }),
    ...changeTools(picture),
  ]
}

function changeTools(picture: z.ZodType<string>): readonly ToolEntry[] {
  return (
    [
      [
        ...['edit', 'imgedit', 'Edit a picture'],
        'Changes a picture as told, such as "blur the background except the dog"; gives a new picture, the old one stays.',
      ],
      [
        ...['tag', 'tagging', 'Tag things in a picture'],
        'Finds things or people in a picture and names them, with boxes; gives a picture that shows the tags.',
      ],
    ] as const
  ).map(([name, family, title, about]) =>
    toolEntry({
      ...({ name, title, about } as { name: string; title: string; about: string }),
      input: z.strictObject({ picture, instruction: instruction('what to do'), budget }),
      ...{ output: runOutput, hints: MAKES },
      run: async ({ picture: one, instruction: text, budget: limits }, call) =>
        perform(
          {
            ...{ family: family as string, instruction: text },
            pictures: [await readPicture(one, 'picture', call)],
          },
          call,
          { budget: limits },
        ),
    }),
  )
}

/** A program by hand, and what was run before. */
export function recordTools({ files }: McpOptions): readonly ToolEntry[] {
  return [
    toolEntry({
      name: 'run_program',
      title: 'Run a program',
      about:
        "Runs a program of Pupil's tools that you wrote, such as BOX=LOC(image=IMAGE,object='dog'); N=COUNT(box=BOX); R=RESULT(var=N). Inputs are IMAGE, IMAGE_2, …",
      input: z.strictObject({
        pictures: z.array(pictureSchema(files, 'a picture')).min(1).max(8),
        program: z.string().trim().min(1).max(20_000).describe('the program, a step a line'),
        budget,
      }),
      ...{ output: runOutput, hints: MAKES },
      run: async ({ pictures, program, budget: limits }, call) =>
        perform(
          {
            ...{ family: 'open', instruction: '', program },
            pictures: await Promise.all(
              pictures.map((one, index) => readPicture(one, `picture ${index + 1}`, call)),
            ),
          },
          call,
          { budget: limits },
        ),
    }),
    toolEntry({
      name: 'list_runs',
      title: 'List runs',
      about: 'Lists what was run before, newest first.',
      input: z.strictObject({
        limit: z.number().int().min(1).max(100).default(20).describe('at most so many'),
        before: z.string().optional().describe('only runs before this one'),
        family: z.string().optional().describe('gqa, nlvr, imgedit, tagging or open'),
      }),
      hints: LOOKS,
      run: async (query, { pupil }) => {
        const runs = await pupil.runs.list(query)
        const listed = runs.map((run) => ({ ...run, address: runAddress(run.id) }))
        return {
          content: [{ type: 'text', text: JSON.stringify(listed) }],
          structuredContent: { runs: listed },
        }
      },
    }),
    toolEntry({
      name: 'show_run',
      title: 'Show a run',
      about: 'Shows every step of a run: program, arguments, results with boxes and scores, costs.',
      input: z.strictObject({
        run: z.string().min(1).describe('its id, the beginning of it, or "last"'),
      }),
      hints: LOOKS,
      run: async ({ run }, { pupil }) => {
        const document = runDocument(await pupil.runs.get(run), { place: blobAddress })
        return {
          content: [{ type: 'text', text: JSON.stringify(document) }],
          structuredContent: { ...document },
        }
      },
    }),
  ]
}
