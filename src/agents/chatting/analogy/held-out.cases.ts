import { seededRandom } from '../../../base/index.ts'
import { plural } from '../../../memory/index.ts'

/** A question in a wording that no recorded dialogue has, and what must be done for it. */
export interface HeldOut {
  readonly question: string
  readonly skill: string
  /** Its arguments, but for the question of `vqa`, which is the question itself. */
  readonly args: Readonly<Record<string, string>>
}

const caption = { caption: '[x]' }
const object = { object: '[x]' }

type Pattern = readonly [string, Readonly<Record<string, string>>, ...string[]]

/**
 * Wordings by which the recorded dialogues were improved: before, 83.6 % of 1,000 were right in skill and
 * arguments (89.4 % in the skill).
 */
const SEEN_ONCE: readonly Pattern[] = [
  [
    'grounding_dino',
    caption,
    'How many [xs] does this photo have?',
    'I would like to know how many [xs] are shown.',
    'What number of [xs] is visible?',
    'Count up the [xs], please.',
    'Could you count the [xs] for me?',
    'How many different [xs] can be seen here?',
    'Please tell me the number of [xs] in this shot.',
  ],
  [
    'grounding_dino',
    caption,
    'Where in the image is the [x]?',
    'Can you show me where the [x] is?',
    'Do you know where the [x] is?',
    'Where would I find the [x]?',
    'Please give the position of the [x].',
    'I am looking for the [x]. Where is it?',
    'Could you tell me the location of the [x]?',
  ],
  [
    'grounding_dino',
    caption,
    'Is a [x] visible?',
    'Are there [xs] in this image?',
    'Can a [x] be seen here?',
    'Does the image have a [x] in it?',
    'Is there a [x] somewhere?',
    'Do you notice any [xs]?',
  ],
  [
    'grounding_dino',
    caption,
    'Please detect every [x].',
    'Could you find the [x] for me?',
    'Run detection for the [x].',
    'Put a box on each [x].',
    'Spot the [x].',
    'I want boxes for all the [xs].',
    'Highlight the [x] with a box, please.',
  ],
  [
    'grounded_sam',
    caption,
    'Please segment each [x].',
    'I need the mask of the [x].',
    'Could you cut the [x] out?',
    'Make a mask for the [x].',
    'I want the exact outline of the [x].',
    'Segment out the [xs] please.',
  ],
  [
    'blip2',
    {},
    'Please describe what you see.',
    'Can you give a short description of the photo?',
    'Caption this picture, please.',
    'What is this image about?',
    'Could you tell me what is happening here?',
  ],
  [
    'ram',
    {},
    'Which things can you see here?',
    'Please list what is in the picture.',
    'Can you tag this photo?',
    'What sort of objects are in this image?',
    'Give some keywords for the photo.',
  ],
  [
    'ocr',
    {},
    'Please read the text in the photo.',
    'What is the text in this image?',
    'Can you read what is written there?',
    'What do the letters say?',
    'Read out all the words.',
  ],
  [
    'vqa',
    {},
    'What is the color of the [x]?',
    'Tell me the colour of the [x].',
    'Which color is the [x]?',
    'What color does the [x] have?',
    'What is the [x] doing right now?',
    'What is left of the [x]?',
    'What is beside the [x]?',
  ],
  [
    'bgblur',
    object,
    'Please blur all the background except the [x].',
    'Could you blur the background around the [x]?',
    'I want only the [x] to be sharp, blur the rest.',
  ],
  [
    'colorpop',
    object,
    'Please make everything but the [x] grey.',
    'Keep the [x] in colour and make the rest black and white.',
    'Only the [x] should keep its colours.',
  ],
  [
    'replace',
    object,
    'Please remove the [x] from this photo.',
    'Could you erase the [x]?',
    'I want the [x] gone, delete it.',
    'Can you take out the [x]?',
  ],
  [
    'openseed',
    {},
    'Please segment the entire image.',
    'Split the photo into regions.',
    'I want a semantic segmentation.',
  ],
]

/** A second set, by which the cue words were added: 57.8 % before. */
const SEEN_TWICE: readonly Pattern[] = [
  [
    'grounding_dino',
    caption,
    'How many [xs] do we have here?',
    'Can you tell how many [xs] are in this scene?',
    'I need a count of the [xs].',
    'How many of these things are [xs]?',
    'Exactly how many [xs] are visible?',
    'Number of [xs]?',
  ],
  [
    'grounding_dino',
    caption,
    'Where exactly is the [x]?',
    'On which side of the picture is the [x]?',
    'Please show where the [x] is located.',
    'Could you point me to the [x]?',
    'What are the coordinates of the [x]?',
    'Whereabouts in the photo is the [x]?',
  ],
  [
    'grounding_dino',
    caption,
    'Is there an [x] to be seen?',
    'Any [xs] in this picture?',
    'Do we have a [x] here?',
    'Tell me if there is a [x].',
    'Does this image show any [xs]?',
  ],
  [
    'grounding_dino',
    caption,
    'Detect [xs].',
    'Find me a [x].',
    'Let me see where you detect [xs].',
    'Please locate the [x] in this picture.',
    'Place a bounding box around every [x].',
    'Try to find the [x].',
  ],
  [
    'grounded_sam',
    caption,
    'Can you segment the [x]?',
    'Segmentation of the [x], please.',
    'Get me the masks of all [xs].',
    'Please cut the [x] out of the picture.',
    'Draw the outline of each [x].',
  ],
  [
    'blip2',
    {},
    'What can you tell me about this image?',
    'Describe what is going on in this photo.',
    'Please write one sentence about this picture.',
    'What is shown in this picture?',
  ],
  [
    'ram',
    {},
    'List all the objects you can see.',
    'What kind of things are in this picture?',
    'Give me a list of tags.',
    'Which items are in the photo?',
  ],
  [
    'ocr',
    {},
    'Is anything written in this picture?',
    'Please transcribe the writing.',
    'What words are on it?',
    'Can you read this for me?',
  ],
  [
    'vqa',
    {},
    'What colour would you say the [x] is?',
    'What is in front of the [x]?',
    'What material is the [x]?',
    'How old is the [x]?',
  ],
  [
    'bgblur',
    object,
    'Make the background blurry but not the [x].',
    'Blur out everything around the [x].',
  ],
  ['colorpop', object, 'Make the picture grey apart from the [x].', 'Show only the [x] in colour.'],
  ['replace', object, 'Get the [x] out of the picture.', 'Erase that [x] please.'],
  ['openseed', {}, 'Segment the full scene.', 'Divide this image into semantic regions.'],
]

/** A third set, odd on purpose, by which narrowing to known words was added: 50.9 % before (72.8 % in the skill). */
const ODD: readonly Pattern[] = [
  [
    'grounding_dino',
    caption,
    'May I know how many [xs] the photographer caught?',
    'Total count of [xs]?',
    'Let me know the number of [xs] you find.',
    'How many [xs] appear?',
    'Are there more than two [xs], and how many?',
    'Work out how many [xs] there are.',
  ],
  [
    'grounding_dino',
    caption,
    'Where did they put the [x]?',
    'Which corner has the [x]?',
    'Could you say where I should look for the [x]?',
    'I cannot see the [x], where is it?',
    'Tell me the location of every [x].',
    'Where does the [x] stand?',
  ],
  [
    'grounding_dino',
    caption,
    'Was a [x] photographed here?',
    'Would you say there is a [x]?',
    'Is it true that there are [xs]?',
    'Does a [x] appear in the shot?',
    'Check for [xs].',
  ],
  [
    'grounding_dino',
    caption,
    'Show me all the [xs] with rectangles.',
    'Frame the [x].',
    'Go and find the [x].',
    'I want to have the [xs] detected.',
    'Object detection: [x].',
    'Where the [x] is, draw a box.',
  ],
  [
    'grounded_sam',
    caption,
    'Isolate the [x] with a mask.',
    'Compute a segmentation mask for the [x].',
    'Pixel-exact cutout of the [x], please.',
    'Can you trace the shape of the [x]?',
    'Segment only the [xs].',
  ],
  [
    'blip2',
    {},
    'Put the picture into words.',
    'What would be a good caption here?',
    'Give a brief summary of the scene.',
    'What do you see in this photo?',
    'Explain what this image shows.',
  ],
  [
    'ram',
    {},
    'Could you enumerate what is visible?',
    'Which labels would you give this picture?',
    'Make a list of all things in the scene.',
    'Suggest tags.',
  ],
  [
    'ocr',
    {},
    'What is printed on the sign?',
    'Recognise the characters.',
    'Get the text out of this image.',
    'Which words does the poster have?',
    'Spell out the writing.',
  ],
  [
    'vqa',
    {},
    'What is the [x] standing on?',
    'Which colour is that [x]?',
    'Is the [x] dirty?',
    'Who is using the [x]?',
    'What shape does the [x] have?',
  ],
  ['bgblur', object, 'Defocus all but the [x].', 'Add a portrait blur around the [x].'],
  [
    'colorpop',
    object,
    'Everything grey, please, except for the [x].',
    'Leave the colour on the [x] and drop it elsewhere.',
  ],
  ['replace', object, 'The [x] bothers me, remove it.', 'Clear away the [x].'],
  ['openseed', {}, 'Segment this.', 'A segmentation of the complete picture, please.'],
]

/** Written after the last change of dialogues, cues and planner; nothing was improved by it. */
const UNSEEN: readonly Pattern[] = [
  [
    'grounding_dino',
    caption,
    'How many [xs] were you able to find?',
    'What is the total number of [xs]?',
    'Do a count of the [xs] for me.',
    'How many [xs] are on this picture?',
    'Say how many [xs] there are.',
  ],
  [
    'grounding_dino',
    caption,
    'Where is that [x]?',
    'Can you tell me the position of the [x]?',
    'In what area of the photo is the [x]?',
    'Where do you see the [x]?',
    'Give the box coordinates for the [x].',
  ],
  [
    'grounding_dino',
    caption,
    'Do you find a [x] in this picture?',
    'Are any [xs] visible in the image?',
    'Is at least one [x] there?',
    'I wonder if there is a [x].',
  ],
  [
    'grounding_dino',
    caption,
    'Please find all of the [xs].',
    'Use the detector on the [xs].',
    'Mark every [x] you can find.',
    'Draw a rectangle around each [x].',
    'Find any [x].',
  ],
  [
    'grounded_sam',
    caption,
    'Please give me a mask of the [x].',
    'Segment every single [x].',
    'I would like the [x] cut out.',
    'Show the silhouette of the [x].',
    'Find the contours of the [xs].',
  ],
  [
    'blip2',
    {},
    'Can you caption the photo?',
    'Please describe this scene briefly.',
    'Tell me what is happening in the photo.',
    'Give me a one-sentence description.',
  ],
  [
    'ram',
    {},
    'Tag this image for me.',
    'What objects are in the photo?',
    'List everything that you can see.',
    'Find good keywords for this image.',
  ],
  [
    'ocr',
    {},
    'What does the text say?',
    'Please read this.',
    'Do you see any text here?',
    'What is written there?',
    'Copy the text from the picture.',
  ],
  [
    'vqa',
    {},
    'What is the main colour of the [x]?',
    'What is right of the [x]?',
    'What is the [x] made from?',
    'Is the [x] closer than the tree?',
    'Who is holding the [x]?',
  ],
  ['bgblur', object, 'Blur the surroundings of the [x].', 'Keep only the [x] in focus.'],
  [
    'colorpop',
    object,
    'Make it black and white except the [x].',
    'Colour pop for the [x], please.',
  ],
  ['replace', object, 'Delete the [x] from the scene.', 'Please make the [x] vanish.'],
  ['openseed', {}, 'Segment the complete image.', 'Split this scene into semantic parts.'],
]

const SETS = { seenOnce: SEEN_ONCE, seenTwice: SEEN_TWICE, odd: ODD, unseen: UNSEEN } as const

/** Words of the starter detector that stand for one thing each. */
const THINGS =
  'bicycle car motorcycle airplane bus train truck boat bench bird cat horse sheep cow elephant bear zebra giraffe backpack umbrella handbag tie suitcase frisbee kite skateboard surfboard bottle cup fork knife spoon bowl banana apple sandwich orange carrot pizza donut cake chair couch bed laptop mouse keyboard oven toaster sink refrigerator book clock vase'.split(
    ' ',
  )

/** Questions about things that no dialogue names, equally often of every wording of a set. */
export function heldOutQuestions(
  count: number,
  set: keyof typeof SETS,
  seed = 7,
): readonly HeldOut[] {
  const random = seededRandom(seed)
  const all = SETS[set].flatMap(([skill, args, ...asked]) =>
    asked.map((question) => ({ skill, args, question })),
  )
  return Array.from({ length: count }, (_, i) => {
    const { skill, args, question } = all[i % all.length] ?? { skill: '', args: {}, question: '' }
    const thing = THINGS[random.below(THINGS.length)] ?? 'cat'
    const said = question.replace(/\[xs\]/g, plural(thing)).replace(/\[x\]/g, thing)
    return {
      question: said.replace(/\b([Aa]) (?=[aeiou])/g, '$1n '),
      skill,
      args: Object.fromEntries(
        Object.entries(args).map(([name, text]) => [name, text.replace('[x]', thing)]),
      ),
    }
  })
}
