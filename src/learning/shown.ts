import { iou } from '../image/index.ts'
import type { Box, Image, ObjectRecord } from '../image/index.ts'
import { isImage, isList, isObject } from '../program/index.ts'
import type { CallStep } from '../program/index.ts'
import type { Attempt, Blame, Reflector } from '../reflection/index.ts'
import { conceptOf } from '../reflection/index.ts'
import { normaliseName } from '../tools/index.ts'
import type { Draft, ExampleDraft } from './draft.ts'

/** A thing that the instruction is about, as a person shows it in the picture. */
export interface ShownThing {
  readonly label: string
  /** In pixels of the input picture. */
  readonly box: Box
  /** Which of the inputs; default the first. */
  readonly picture?: number
}

/** What a person showed would teach: one draft a name, with the step that it is about. */
export type ShownDraft = Exclude<Draft, { readonly nothing: string }> & { readonly step: number }

/** Boxes that overlap so much are of one thing; with less than the other they are elsewhere. */
const SAME_PLACE = 0.5
const OTHER_PLACE = 0.3

interface Found {
  readonly step: CallStep
  /** What was asked for there. */
  readonly asked: string
  readonly objects: readonly ObjectRecord[]
}

/**
 * Compares what steps found with what a person shows of all that the instruction is about: what was missed becomes
 * an example of its name, what was taken for it elsewhere a counter-example.
 *
 * A step that asked for a kind of things ("musical instrument") learns that what is shown is of that kind. Only steps
 * that look at a whole input are compared.
 *
 * @param all  what is shown is everything in the picture that any step asked for, so that whatever else was found is
 *   wrong; else only what goes by a name that is shown
 * @source CLOVA §4.1 (feedback on tagging: expected and given boxes)
 */
export function draftsOfShown(
  shown: readonly ShownThing[],
  attempt: Pick<Attempt, 'steps' | 'inputs'>,
  { all = false }: { readonly all?: boolean } = {},
): readonly ShownDraft[] {
  const drafts = new Map<string, ShownDraft>()
  const add = (found: Found, concept: string, example: ExampleDraft): void => {
    const known = drafts.get(concept)
    const { tool, index: step } = found.step
    const examples = [...(known?.examples ?? []), example]
    drafts.set(concept, { ...(known ?? { tool, concept, step }), examples })
  }
  for (const [at, image] of Object.values(attempt.inputs).entries()) {
    const things = shown
      .filter(({ picture = 0 }) => picture === at)
      .map(({ label, box }) => ({ label: normaliseName(label), box }))
    const found = foundIn(image, attempt.steps)
    for (const one of things) {
      const named = found.filter(({ asked }) => isAbout(asked, one.label))
      // A step that asked for the kind; what stands in the way of the name too.
      const kinds = named.length > 0 ? [] : found.filter(({ step }) => step.tool === 'LOC')
      const missed = (one_: Found): boolean =>
        one_.objects.every((object) => iou(object.box, one.box) < SAME_PLACE)
      for (const place of [...named, ...kinds].filter(missed).slice(0, 1)) {
        add(place, one.label, example(image, one.label, one.box, true))
        if (kinds.includes(place)) add(place, one.label, example(image, place.asked, one.box, true))
      }
    }
    for (const place of found) {
      const own = things.filter(({ label }) => label === place.asked)
      const isPlain =
        own.length > 0 || (all && things.every((one) => !isAbout(place.asked, one.label)))
      if (!isPlain || (own.length === 0 && isKindOf(place, things))) continue
      for (const { box } of place.objects) {
        if (own.every((one) => iou(one.box, box) < OTHER_PLACE)) {
          add(place, place.asked, example(image, place.asked, box, false))
        }
      }
    }
  }
  return [...drafts.values()]
}

/** Blames the steps that missed, or took for something else, what a person shows. */
export function shownReflector(
  shown: readonly ShownThing[],
  options: { readonly all?: boolean } = {},
): Reflector {
  return {
    by: 'user',
    reflect: async (attempt) => {
      const blames = draftsOfShown(shown, attempt, options).map(
        ({ tool, concept, step }): Blame => ({
          ...{ location: 'tool', step, tool, concept, confidence: 1 },
          reason: 'A person showed what it is about.',
        }),
      )
      return Object.freeze({ by: 'user' as const, blames, calls: [] })
    },
  }
}

/** What steps found by a name in a whole input. */
function foundIn(input: Image, steps: readonly CallStep[]): readonly Found[] {
  return steps.flatMap((step): Found[] => {
    const { result, tool } = step
    const image = step.args.map(({ value }) => value).find(isImage)
    const isWhole =
      image?.frame.original === input.frame.original &&
      image.width === input.width &&
      image.height === input.height
    if (!isWhole || result === undefined || !isList(result)) return []
    const objects = result.filter(isObject)
    if (tool === 'CLASSIFY') {
      const names = [...new Set(objects.map(({ category }) => category))]
      return names.map((name) => ({
        ...{ step, asked: normaliseName(name) },
        objects: objects.filter(({ category }) => category === name),
      }))
    }
    const asked = tool === 'LOC' || tool === 'SELECT' ? conceptOf(step) : null
    return asked === null ? [] : [{ step, asked, objects }]
  })
}

/** Whether a phrase such as "red balloon" is about a thing of that name. */
function isAbout(asked: string, label: string): boolean {
  return ` ${asked} `.includes(` ${label} `)
}

/** Whether what is shown stands for a kind that was asked for. */
function isKindOf({ objects }: Found, things: readonly { readonly box: Box }[]): boolean {
  return objects.some(({ box }) => things.some((one) => iou(one.box, box) >= SAME_PLACE))
}

function example(image: Image, concept: string, box: Box, positive: boolean): ExampleDraft {
  return { kind: 'thing', concept, positive, image, box }
}
