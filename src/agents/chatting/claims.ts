import type { SkillOutcome } from './skill.ts'

/** Kinds of work that an answer may claim, with the skills that do it. */
const CLAIMS: readonly {
  readonly kind: string
  readonly said: RegExp
  readonly skills: RegExp
}[] = [
  {
    kind: 'detection',
    said: /\b(?:I(?:'ve| have)?(?: just| already)? (?:detected|located|ran (?:a|the) detector|drew (?:a |the )?(?:boxes|box))|the detect(?:or|ion)(?: model)? (?:found|shows|says|gave)|grounding[_ ]?dino (?:found|shows|says|gave|detected))/i,
    skills: /^(?:grounding_dino|grounded_sam|blip2\+|ram\+)/,
  },
  {
    kind: 'segmentation',
    said: /\bI(?:'ve| have)?(?: just| already)? (?:segmented|outlined|masked|cut (?:it|them|out|the))/i,
    skills: /sam|openseed|seem/,
  },
  {
    kind: 'reading',
    said: /\b(?:I(?:'ve| have)?(?: just| already)? (?:ran OCR|scanned the text)|OCR (?:found|shows|says|gave|reads))/i,
    skills: /ocr/,
  },
  {
    kind: 'search',
    said: /\bI(?:'ve| have)?(?: just| already)? (?:searched|looked (?:it|this|that|them) up|retrieved)/i,
    skills: /retrieval|clip/,
  },
  {
    kind: 'picture',
    said: /\bI(?:'ve| have)?(?: just| already)? (?:edited|blurred|removed|replaced|erased|generated|created|painted|inpainted|recolou?red|drawn|drew|made (?:a|the|you|an) (?:new )?(?:picture|image|photo)|changed the (?:picture|image|photo|background)|turned (?:it|the))/i,
    skills: /sd|stable|pix2pix|ip2p|inpaint|controlnet|bgblur|colorpop|replace|emoji|seem|openseed/,
  },
]

/**
 * Work that an answer claims and that no successful call of the conversation did.
 *
 * Words only: it catches plain claims ("I have removed the car"), not every way to pretend.
 */
export function unfoundedClaims(
  answer: string,
  outcomes: readonly SkillOutcome[],
): readonly string[] {
  const done = outcomes
    .filter(({ result }) => result !== undefined)
    .map(({ action }) => action.name)
  return CLAIMS.filter(
    ({ said, skills }) => said.test(answer) && !done.some((name) => skills.test(name)),
  ).map(({ kind }) => kind)
}
