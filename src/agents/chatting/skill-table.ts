import { Bug } from '../../base/index.ts'
import type { Backends } from '../../tools/index.ts'
import type { Skill, SkillResult } from './skill.ts'
import { answerQuestion, describe, describeGrounded } from './skill-describing.ts'
import { missingList, readText, segmentAll, tag, tagGrounded } from './skill-describing.ts'
import { detect, segmentInstances, segmentPrompted } from './skill-finding.ts'
import { blurBackground, coverEmoji, inpaint } from './skill-editing.ts'
import { popColour, replaceObject } from './skill-editing.ts'

const text = (about: string): object => ({ type: 'string', description: about })

function object(properties: Readonly<Record<string, object>>, required: readonly string[]): object {
  return { type: 'object', properties, required }
}

const NONE = object({}, [])
const CAPTION = object({ caption: text('what to find, phrases joined by " . "') }, ['caption'])
const PROMPT = object({ prompt: text('what to make') }, ['prompt'])
const OBJECT = object({ object: text('the thing, such as "dog"') }, ['object'])

type Need = (backends: Backends) => string | undefined

const needs = (part: keyof Backends, what: string): Need => {
  return (backends) => {
    const value = backends[part]
    const there = Array.isArray(value) ? value.length > 0 : value !== undefined
    return there ? undefined : `Nothing configured can ${what}.`
  }
}

const cuts: Need = ({ segmenters }) =>
  segmenters.some(({ cut }) => cut !== undefined)
    ? undefined
    : 'Nothing configured cuts out what a box or a point shows.'

const both =
  (...all: readonly Need[]): Need =>
  (backends) =>
    all.map((need) => need(backends)).find((reason) => reason !== undefined)

const DETECTS = needs('detectors', 'find objects')
const CAPTIONS = needs('captioners', 'describe pictures')
const SELECTS = both(needs('segmenters', 'cut out objects'), needs('matchers', 'choose objects'))

/** Skills of the paper for which no model without a network or an accelerator exists here. */
function remoteOnly(what: string): Pick<Skill, 'missing' | 'run'> {
  const reason = `No offline model can ${what}; a remote worker or a hub model can.`
  return {
    missing: () => reason,
    run: async (): Promise<SkillResult> => {
      throw new Bug('E_SKILL_REMOTE', reason)
    },
  }
}

/** The skills of the paper in the order of its table, then ours (llava-plus §4). */
export const SKILLS: readonly Skill[] = [
  {
    names: ['grounding_dino'],
    skill: 'detection and grounding',
    about: 'Finds the things that a caption names and gives their boxes and scores.',
    parameters: CAPTION,
    replies: ['boxes', 'logits', 'phrases', 'size'],
    picture: true,
    cost: 'low',
    words: 'detect find locate where count how many is there box boxes position objects',
    missing: DETECTS,
    run: detect,
  },
  {
    names: ['openseed'],
    skill: 'semantic segmentation',
    about: 'Cuts the whole picture into named regions.',
    parameters: NONE,
    replies: ['image_seg'],
    picture: true,
    cost: 'middle',
    words: 'semantic segmentation segment whole scene regions every pixel layout',
    missing: needs('segmenters', 'cut pictures into regions'),
    run: segmentAll,
  },
  {
    names: ['grounded_sam', 'grounding_dino+sam'],
    skill: 'instance segmentation',
    about: 'Finds the things that a caption names and cuts out the outline of each.',
    parameters: CAPTION,
    replies: ['boxes', 'logits', 'phrases', 'size', 'masks_rle'],
    picture: true,
    cost: 'middle',
    words: 'segment instance outline mask masks cut out silhouette contour objects',
    missing: both(DETECTS, cuts),
    run: segmentInstances,
  },
  {
    names: ['blip2+grounding_dino'],
    skill: 'caption and grounding',
    about: 'Describes the picture and gives the boxes of what is in it.',
    parameters: NONE,
    replies: ['boxes', 'logits', 'phrases', 'size', 'caption'],
    picture: true,
    cost: 'middle',
    words: 'describe caption with boxes grounded caption things mentioned',
    missing: both(CAPTIONS, missingList),
    run: describeGrounded,
  },
  {
    names: ['ram+grounding_dino'],
    skill: 'tagging and grounding',
    about: 'Lists what is in the picture, with the boxes.',
    parameters: NONE,
    replies: ['boxes', 'logits', 'phrases', 'size', 'tags', 'tags_chinese'],
    picture: true,
    cost: 'middle',
    words: 'tags with boxes list all objects and locate everything find all things',
    missing: missingList,
    run: tagGrounded,
  },
  {
    names: ['blip2'],
    skill: 'caption',
    about: 'Describes the picture in a sentence.',
    parameters: NONE,
    replies: ['caption', 'size'],
    picture: true,
    cost: 'low',
    words: 'describe caption description sentence what is happening summary picture',
    missing: CAPTIONS,
    run: describe,
  },
  {
    names: ['ram'],
    skill: 'tagging',
    about: 'Lists what is in the picture.',
    parameters: NONE,
    replies: ['tags', 'tags_chinese', 'size'],
    picture: true,
    cost: 'low',
    words: 'tag tags keywords labels list things what is in the picture names',
    missing: missingList,
    run: tag,
  },
  {
    names: ['ocr', 'easyocr'],
    skill: 'OCR',
    about: 'Reads the text in the picture.',
    parameters: NONE,
    replies: ['boxes', 'texts', 'scores'],
    picture: true,
    cost: 'low',
    words: 'read text words sign letters written say says ocr label number plate',
    missing: needs('reader', 'read text'),
    run: readText,
  },
  {
    names: ['retrieval', 'clip'],
    skill: 'retrieval and external knowledge',
    about: 'Looks for pictures like this one and gives their captions.',
    parameters: NONE,
    replies: ['retrieval_results', 'size'],
    picture: true,
    cost: 'middle',
    words: 'search similar retrieval knowledge facts history who made when built look up',
    ...remoteOnly('search a collection of captioned pictures'),
  },
  {
    names: ['stable-diffusion', 'sd'],
    skill: 'image generation',
    about: 'Makes a picture from a prompt.',
    parameters: PROMPT,
    replies: ['edited_image'],
    picture: false,
    cost: 'high',
    words: 'generate create draw paint make a new picture image of',
    ...remoteOnly('generate pictures'),
  },
  {
    names: ['instruct-pix2pix', 'ip2p'],
    skill: 'image editing',
    about: 'Changes the picture as an instruction says.',
    parameters: PROMPT,
    replies: ['edited_image', 'size'],
    picture: true,
    cost: 'high',
    words: 'edit change turn into make it look style winter night',
    ...remoteOnly('edit pictures by an instruction'),
  },
  {
    names: ['sam'],
    skill: 'interactive segmentation',
    about: 'Cuts out what given boxes or points (0..1) show.',
    parameters: object(
      {
        boxes: { type: 'array', description: '[[x0, y0, x1, y1]] in shares of the picture' },
        points: { type: 'array', description: '[[[x, y]]] in shares of the picture' },
        point_labels: { type: 'array', description: '[[1]]: 1 inside, 0 outside' },
      },
      [],
    ),
    replies: ['masks_rle', 'boxes'],
    picture: true,
    cost: 'middle',
    words: 'segment this box point click here region inside input box cut out',
    missing: cuts,
    run: segmentPrompted,
  },
  {
    names: ['semantic_sam', 'semantic-sam'],
    skill: 'multi-granularity segmentation',
    about: 'Cuts out what is at a point, from the part to the whole.',
    parameters: object({ point: { type: 'array', description: '[[x, y]], 0..1' } }, []),
    replies: ['iou_sort_masks'],
    picture: true,
    cost: 'middle',
    words: 'segment granularity levels part whole point',
    ...remoteOnly('segment at several granularities'),
  },
  {
    names: ['seem'],
    skill: 'segmentation by reference',
    about: 'Cuts out what looks like the region of a reference picture.',
    parameters: NONE,
    replies: ['edited_image'],
    picture: true,
    cost: 'middle',
    words: 'segment by reference picture same as this one',
    ...remoteOnly('segment by a reference picture'),
  },
  {
    names: ['inpainting'],
    skill: 'inpainting',
    about: 'Fills a mask of an earlier segmentation; the prompt "background" removes.',
    parameters: object({ prompt: text('what to put there'), mask_index: { type: 'integer' } }, [
      'prompt',
    ]),
    replies: ['edited_image'],
    picture: true,
    cost: 'high',
    words: 'inpaint fill mask replace remove segmented region put instead',
    missing: needs('fillers', 'fill holes in pictures'),
    run: inpaint,
  },
  {
    names: ['controlnet'],
    skill: 'generation from layout',
    about: 'Makes a picture that follows the last segmentation.',
    parameters: object({ prompt: { type: 'object' } }, ['prompt']),
    replies: ['edited_image'],
    picture: false,
    cost: 'high',
    words: 'generate layout segmentation map same composition controlnet',
    ...remoteOnly('generate from a layout'),
  },
  {
    names: ['vqa'],
    skill: 'question answering (ours)',
    about: 'Answers a question about the picture in a few words, or says that it does not know.',
    parameters: object({ question: text('the question') }, ['question']),
    replies: ['answer', 'score'],
    picture: true,
    cost: 'low',
    words: 'what colour which who is doing why kind question answer left right of between',
    missing: needs('answerers', 'answer questions'),
    run: answerQuestion,
  },
  {
    names: ['bgblur'],
    skill: 'background blur (ours)',
    about: 'Blurs everything but the object.',
    parameters: OBJECT,
    replies: ['edited_image'],
    picture: true,
    cost: 'middle',
    words: 'blur background keep sharp bokeh portrait',
    missing: SELECTS,
    run: blurBackground,
  },
  {
    names: ['colorpop'],
    skill: 'colour pop (ours)',
    about: 'Turns everything but the object grey.',
    parameters: OBJECT,
    replies: ['edited_image'],
    picture: true,
    cost: 'middle',
    words: 'colour color pop grey gray black and white except only keep colour',
    missing: SELECTS,
    run: popColour,
  },
  {
    names: ['replace'],
    skill: 'replacing and removing (ours)',
    about: 'Replaces the object by what the prompt names; the prompt "background" removes it.',
    parameters: object({ object: text('the thing'), prompt: text('what comes in its place') }, [
      'object',
      'prompt',
    ]),
    replies: ['edited_image'],
    picture: true,
    cost: 'middle',
    words: 'remove erase delete replace swap get rid of take away',
    missing: both(SELECTS, needs('fillers', 'fill holes in pictures')),
    run: replaceObject,
  },
  {
    names: ['emoji'],
    skill: 'covering by an emoji (ours)',
    about: 'Puts an emoji on every such thing.',
    parameters: object({ object: text('the thing'), emoji: text('name of an emoji') }, [
      'object',
      'emoji',
    ]),
    replies: ['edited_image'],
    picture: true,
    cost: 'middle',
    words: 'emoji cover hide smiley sticker face faces',
    missing: SELECTS,
    run: coverEmoji,
  },
]

/** The composed skills of the paper: what each is made of, in order (llava-plus §4). */
export const COMPOSED: readonly {
  readonly skill: string
  readonly of: readonly string[]
  readonly about: string
}[] = [
  {
    skill: 'mixed understanding',
    of: ['grounding_dino', 'grounded_sam', 'ram', 'blip2'],
    about: 'Any of them in one turn.',
  },
  {
    skill: 'segment and inpaint',
    of: ['grounded_sam', 'inpainting'],
    about: 'The mask of the first is filled by the second.',
  },
  {
    skill: 'segment and generate',
    of: ['openseed', 'controlnet'],
    about: 'The regions of the first are the layout of the second.',
  },
  {
    skill: 'social-media post',
    of: ['sd', 'ip2p'],
    about: 'A picture is made or edited, and the answer is a text to post with it.',
  },
  {
    skill: 'external knowledge',
    of: ['retrieval'],
    about: 'The answer is taken from the captions that were found.',
  },
]
