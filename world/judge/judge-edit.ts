import { unionMasks } from '../../src/image/index.ts'
import type { Image, MaskRle } from '../../src/image/index.ts'
import type { Abortable } from '../../src/base/index.ts'
import type { Lexicon } from '../lexicon.ts'
import { namesByClass } from '../naming.ts'
import type { TaskEdit } from '../tasks/task.ts'
import type { Scene, SceneObject } from '../types.ts'
import { judgeCrop, NOTHING } from './judge.ts'
import type { Judge } from './judge.ts'
import {
  boxRegion,
  either,
  gradientEnergy,
  greyish,
  grown,
  near,
  outside,
  share,
  shrunk,
  within,
} from './measures.ts'
import type { Region } from './measures.ts'

/** One rule with what was measured. */
export interface Check {
  readonly rule: string
  readonly passed: boolean
  readonly measured: number | string
}

export interface Judgement {
  /** All rules hold. */
  readonly right: boolean
  /** The same where a name near the wanted one by WordNet class counts too. */
  readonly rightByClass: boolean
  readonly checks: readonly Check[]
}

export interface EditCase {
  readonly before: Image
  readonly after: Image
  readonly scene: Scene
  readonly edits: readonly TaskEdit[]
}

interface Judging extends EditCase {
  readonly lexicon: Lexicon
  readonly judge: Judge
  /** Where a local edit of the task may have changed something. */
  readonly local: Region
  /** Whether blur or colour-pop may have changed the rest. */
  readonly overall: boolean
  readonly signal?: AbortSignal
}

/**
 * Whether an edited picture shows what was asked for, where it was asked for, and the rest as before.
 *
 * With two edits in a row, each is held to its rule where the other did not work. Replace and remove
 * need the judge's model; the other rules are measured on pixels alone.
 * @source picture-world §8, vector W15
 */
export async function judgeEdit(
  given: EditCase,
  means: { readonly lexicon: Lexicon; readonly judge: Judge },
  options: Abortable = {},
): Promise<Judgement> {
  const { before, after, edits } = given
  const sameSize = before.width === after.width && before.height === after.height
  const size = check('size unchanged', sameSize, `${after.width} x ${after.height}`)
  if (!sameSize) return { right: false, rightByClass: false, checks: [size] }
  const judging: Judging = {
    ...given,
    ...means,
    signal: options.signal,
    local: edits.reduce<Region>(
      (all, edit) => either(all, localRegion(given, edit)),
      new Uint8Array(before.width * before.height),
    ),
    overall: edits.some(({ kind }) => kind === 'blur' || kind === 'colour-pop'),
  }
  const found = await Promise.all(edits.map((edit) => RULES[edit.kind](judging, edit)))
  const checks = [size, ...found.flat()]
  const failed = checks.filter(({ passed }) => !passed)
  const near = failed.every(({ rule }) => rule.startsWith('first choice'))
  const byClass = checks.filter(({ rule }) => rule.startsWith('by class'))
  return {
    right: failed.every(({ rule }) => rule.startsWith('by class')),
    rightByClass: (near || failed.length === 0) && byClass.every(({ passed }) => passed),
    checks,
  }
}

type Rule = (judging: Judging, edit: TaskEdit) => Promise<readonly Check[]> | readonly Check[]

const RULES: { readonly [K in TaskEdit['kind']]: Rule } = {
  replace: async (judging, edit) => [
    ...unchangedOutside(judging),
    ...(await namedAs(judging, edit)),
  ],
  remove: async (judging, edit) => [...unchangedOutside(judging), ...(await gone(judging, edit))],
  blur: (judging, edit) => {
    const mask = maskOfTargets(judging, edit)
    const far = within(outside(grown(mask, 12)), outside(judging.local))
    const energy = gradientEnergy(judging.before, far)
    const left = energy === 0 ? 0 : gradientEnergy(judging.after, far) / energy
    return [
      kept(judging, mask),
      check('gradient energy beyond 12 px at most 60 %', left <= 0.6, left),
    ]
  },
  'colour-pop': (judging, edit) => {
    const mask = maskOfTargets(judging, edit)
    const far = within(outside(grown(mask, 3)), outside(judging.local))
    const grey = share(far, greyish(judging.after, 3))
    return [kept(judging, mask), check('grey beyond 3 px', grey >= 0.99, grey)]
  },
  hide: (judging, edit) => [
    ...(judging.overall ? [] : [onlyLocal(judging)]),
    ...targetsOf(judging, edit).map((one) => covered(judging, one)),
  ],
}

/** Inside the mask, less 3 px, nothing changed. */
function kept({ before, after, local }: Judging, mask: MaskRle): Check {
  const same = share(within(shrunk(mask, 3), outside(local)), near(before, after, 2))
  return check('inside as before', same >= 0.99, same)
}

/** Beyond 4 px nearly everything, beyond 12 px everything as before, unless another edit worked there. */
function unchangedOutside(judging: Judging): readonly Check[] {
  const { before, after, edits, scene, overall } = judging
  if (overall) return []
  const hidden = edits
    .filter(({ kind }) => kind === 'hide')
    .map((edit) => localRegion({ before, after, scene, edits }, edit))
  const spared = hidden.reduce<Region>(either, new Uint8Array(before.width * before.height))
  const targets = edits.filter(({ kind }) => kind !== 'hide')
  const mask = unionMasks(...masksOf(judging, targets))
  const same = (pixels: number): number =>
    share(within(outside(grown(mask, pixels)), outside(spared)), near(before, after, 2))
  const [close, far] = [same(4), same(12)]
  return [
    check('99 % beyond 4 px as before', close >= 0.99, close),
    check('all beyond 12 px as before', far === 1, far),
  ]
}

/** The judge's first choice is the new concept, for every target. */
async function namedAs(judging: Judging, edit: TaskEdit): Promise<readonly Check[]> {
  const wanted = edit.concept ?? ''
  const ranks = await ranksOf(judging, edit)
  return ranks.flatMap(([first = '']) => {
    const near = first !== NOTHING && namesByClass(judging.lexicon, wanted, labelOf(judging, first))
    return [
      check(`first choice is ${wanted}`, first === wanted, first),
      check(`by class it is ${wanted}`, near, first),
    ]
  })
}

/** The judge sees nothing, and the old thing is not among its first five. */
async function gone(judging: Judging, edit: TaskEdit): Promise<readonly Check[]> {
  const targets = targetsOf(judging, edit)
  const ranks = await ranksOf(judging, edit)
  return ranks.flatMap((ranked, i) => {
    const old = targets[i]?.concept ?? ''
    return [
      check('the place looks empty', ranked[0] === NOTHING, ranked[0] ?? ''),
      check(`no trace of ${old}`, !ranked.slice(0, 5).includes(old), ranked.slice(0, 5).join(' ')),
    ]
  })
}

async function ranksOf(judging: Judging, edit: TaskEdit): Promise<readonly (readonly string[])[]> {
  const { signal } = judging
  const crops = targetsOf(judging, edit).map(({ box }) => judgeCrop(judging.after, box, { signal }))
  return judging.judge.rank(await Promise.all(crops), { signal })
}

function labelOf({ lexicon }: Judging, id: string): string {
  return lexicon.concepts.get(id)?.label ?? id
}

function onlyLocal({ before, after, local }: Judging): Check {
  const same = share(outside(local), near(before, after, 2))
  return check('changes only where they belong', same === 1, same)
}

/** Nine tenths of the middle third, each way, have changed. */
function covered({ before, after }: Judging, { box: [x1, y1, x2, y2] }: SceneObject): Check {
  const [w, h] = [(x2 - x1) / 3, (y2 - y1) / 3]
  const middle = boxRegion(before, [x1 + w, y1 + h, x2 - w, y2 - h])
  const same = near(before, after, 2)
  const changed = share(middle, (pixel) => !same(pixel))
  return check('the middle is covered', changed >= 0.9, changed)
}

/** Where an edit may work: mask and 12 px, or for hide the box and a tenth. */
function localRegion({ before, scene }: EditCase, edit: TaskEdit): Region {
  const size = before.width * before.height
  if (edit.kind === 'blur' || edit.kind === 'colour-pop') return new Uint8Array(size)
  const objects = scene.objects.filter(({ id }) => edit.targets.includes(id))
  const regions = objects.map((one) =>
    edit.kind === 'hide' ? boxRegion(before, one.box, 0.1) : grown(one.mask, 12),
  )
  return regions.reduce<Region>(either, new Uint8Array(size))
}

function targetsOf({ scene }: Judging, edit: TaskEdit): readonly SceneObject[] {
  return scene.objects.filter(({ id }) => edit.targets.includes(id))
}

function masksOf(judging: Judging, edits: readonly TaskEdit[]): [MaskRle, ...MaskRle[]] {
  const masks = edits.flatMap((edit) => targetsOf(judging, edit).map(({ mask }) => mask))
  // Every edit of a task has a target.
  return masks as [MaskRle, ...MaskRle[]]
}

function maskOfTargets(judging: Judging, edit: TaskEdit): MaskRle {
  return unionMasks(...masksOf(judging, [edit]))
}

function check(rule: string, passed: boolean, measured: number | string): Check {
  return { rule, passed, measured }
}
