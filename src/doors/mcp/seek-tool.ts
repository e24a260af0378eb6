import { z } from 'zod'
import { follow } from './perform.ts'
import { pictureSchema, readPicture } from './picture-input.ts'
import { runOutput } from './run-result.ts'
import { MAKES, toolEntry } from './tool-entry.ts'
import type { McpOptions, ToolEntry } from './tool-entry.ts'

/**
 * Searches for what is known about what a picture shows. No argument lets the picture leave this machine: that is
 * the user's to allow, in the configuration, not a model's.
 */
export function seekTool({ files }: McpOptions): ToolEntry {
  return toolEntry({
    ...{ name: 'seek', title: 'Look for what is known about a picture' },
    about:
      'Answers a question that needs knowledge from outside the picture, step by step, with its sources; ' +
      'says so when it finds none.',
    input: z.strictObject({
      picture: pictureSchema(files),
      question: z.string().trim().min(1).max(2000).describe('the question'),
      max_steps: z.number().int().min(1).max(100).optional().describe('most calls of tools (12)'),
      offline: z.boolean().optional().describe('nothing leaves this machine'),
    }),
    ...{ output: runOutput, hints: { ...MAKES, openWorldHint: true } },
    run: async ({ picture, question, max_steps: maxSteps, offline }, call) => {
      const { pupil, signal } = call
      const shown = await readPicture(picture, 'picture', call)
      const live = await pupil.startSeek(
        { picture: shown, question },
        {
          signal,
          ...(maxSteps === undefined ? {} : { maxSteps }),
          ...(offline === undefined ? {} : { offline }),
        },
      )
      return follow(live, call)
    },
  })
}
