import type { Demonstration } from '../../../memory/index.ts'

/** A skill call, how it is told, and questions that ask for it, `[x]` being what is named. */
interface Row {
  readonly call: readonly string[]
  readonly tell?: string
  readonly asked: readonly string[]
}

const detect = "DETECT(image=IMAGE,caption='[x]')"
const about = (what: string): string => `ASK(image=IMAGE,question='${what}')`

const ROWS: readonly Row[] = [
  {
    call: [detect],
    tell: 'TELL_COUNT',
    asked: [
      'How many [xs] are there?',
      'How many [xs] are in the picture?',
      'How many [xs] can you see?',
      'Count the [xs].',
      'Count all [xs] in this photo.',
      'What is the number of [xs]?',
      'Tell me how many [xs] there are.',
      'Give me the number of [xs] in the image.',
      'Please count every [x].',
    ],
  },
  {
    call: [detect],
    tell: 'TELL_WHERE',
    asked: [
      'Where is the [x]?',
      'Where are the [xs]?',
      'Where can I find the [x]?',
      'In which part of the picture is the [x]?',
      'Tell me where the [x] is.',
      'Show me where the [x] is.',
      'What is the position of the [x]?',
      'Give me the coordinates of the [x].',
      'Give me the bounding box of the [x].',
      'What is the location of the [x]?',
      'I am looking for the [x].',
      'At what place in the photo is the [x]?',
    ],
  },
  {
    call: [detect],
    tell: 'TELL_EXISTS',
    asked: [
      'Is there a [x] in the picture?',
      'Are there any [xs]?',
      'Is there any [x] here?',
      'Do you see a [x]?',
      'Can you see any [xs]?',
      'Does the picture show a [x]?',
      'Does this photo contain a [x]?',
      'Check whether there is a [x].',
    ],
  },
  {
    call: [detect],
    tell: 'TELL_FOUND',
    asked: [
      'Detect the [x].',
      'Can you detect the [x]?',
      'Find the [x].',
      'Find all [xs] in the picture.',
      'Locate the [x].',
      'Locate every [x].',
      'Ground the [x].',
      'Look for a [x].',
      'Draw a box around the [x].',
      'Put boxes around all [xs].',
      'Mark the [x] with a box.',
      'Point out the [x].',
      'Box the [xs].',
      'Spot the [x].',
      'Identify the [x].',
      'Pinpoint the [x].',
      'I want boxes for the [xs].',
      'Run the detector for a [x].',
      'Search the picture for a [x].',
      'Highlight the [xs].',
    ],
  },
  {
    call: ["DETECT(image=IMAGE,caption='[x] . [y]')"],
    tell: 'TELL_FOUND',
    asked: [
      'Detect the [x] and the [y].',
      'Find the [x] and the [y].',
      'Locate all [xs] and [ys].',
      'Draw boxes around the [xs] and the [ys].',
    ],
  },
  {
    call: ["DETECT(image=IMAGE,caption='[x] . [y]')"],
    tell: 'TELL_COUNT',
    asked: ['How many [xs] and [ys] are there?', 'Count the [xs] and the [ys].'],
  },
  {
    call: ["SEGMENT(image=IMAGE,caption='[x]')"],
    tell: 'TELL_FOUND',
    asked: [
      'Segment the [x].',
      'Segment all [xs].',
      'Cut out the [x].',
      'Outline the [x].',
      'Give me the mask of the [x].',
      'Give me a mask for every [x].',
      'Show the outline of the [x].',
      'Trace the contour of the [x].',
      'Which pixels belong to the [x]?',
      'Make a mask of the [x].',
      'I need the exact shape of the [x].',
      'Separate the [x] from the background.',
    ],
  },
  {
    call: ["SEGMENT(image=IMAGE,caption='[x] . [y]')"],
    tell: 'TELL_FOUND',
    asked: ['Segment the [x] and the [y].', 'Cut out the [xs] and the [ys].'],
  },
  {
    call: ['REGIONS(image=IMAGE)'],
    asked: [
      'Segment the whole picture.',
      'Segment everything.',
      'Do a semantic segmentation of this image.',
      'Divide the picture into regions.',
      'Give me a segmentation map.',
      'Label every pixel of the photo.',
      'Split the image into its parts.',
      'Partition the scene.',
    ],
  },
  {
    call: ['DESCRIBE(image=IMAGE)'],
    asked: [
      'Describe the picture.',
      'Describe this photo in a sentence.',
      'What is happening in the picture?',
      'What does the image show?',
      'Give me a caption.',
      'Write a caption for this photo.',
      'Summarise what you see.',
      'What is this picture about?',
      'Tell me about this photo.',
      'What is going on here?',
      'Can you describe the scene?',
      'Give me a short description.',
      'Explain the picture to me.',
    ],
  },
  {
    call: ['DESCRIBE_BOXES(image=IMAGE)'],
    asked: [
      'Describe the picture and show where everything is.',
      'Describe the picture with boxes.',
      'Give me a caption with boxes for the things in it.',
      'Caption the image and locate what you mention.',
    ],
  },
  {
    call: ['TAGS(image=IMAGE)'],
    asked: [
      'Tag the picture.',
      'What tags fit this photo?',
      'Give me tags for this image.',
      'List the things in the picture.',
      'What things are in the picture?',
      'What objects can you see?',
      'What is in this photo?',
      'Which objects are there?',
      'Give me keywords for this picture.',
      'Name everything you see.',
      'What kinds of things are shown?',
      'Enumerate the objects.',
    ],
  },
  {
    call: ['TAGS_BOXES(image=IMAGE)'],
    asked: [
      'Detect everything.',
      'Find all objects in the picture.',
      'Tag the picture and draw the boxes.',
      'List all objects with their boxes.',
      'Locate everything in the image.',
    ],
  },
  {
    call: ['READ(image=IMAGE)'],
    asked: [
      'What does the [x] say?',
      'Read the text.',
      'Read the [x].',
      'What is written on the [x]?',
      'What text is in the picture?',
      'Which words can you read?',
      'What does it say?',
      'Is there any text in the picture?',
      'Transcribe the text in this image.',
      'Do OCR on this photo.',
      'What number is on the [x]?',
      'Extract the text.',
      'What do the words say?',
      'Read out the letters.',
    ],
  },
  {
    call: ["BLUR(image=IMAGE,object='[x]')"],
    asked: [
      'Blur the background behind the [x].',
      'Keep the [x] sharp and blur the rest.',
      'Blur everything except the [x].',
      'Blur everything but the [x].',
      'Put the [x] in focus.',
      'Only the [x] should be sharp.',
    ],
  },
  {
    call: ["POP(image=IMAGE,object='[x]')"],
    asked: [
      'Make everything grey except the [x].',
      'Keep only the colours of the [x].',
      'Make a colour pop of the [x].',
      'Turn all but the [x] black and white.',
      'Desaturate everything around the [x].',
      'Only the [x] should be in colour.',
    ],
  },
  {
    call: ["REPLACE(image=IMAGE,object='[x]',prompt='background')"],
    asked: [
      'Remove the [x].',
      'Erase the [x] from the picture.',
      'Delete the [x].',
      'Take the [x] away.',
      'Get rid of the [x].',
      'Make the [x] disappear.',
      'I want the [x] gone.',
      'The [x] should go.',
    ],
  },
  {
    call: ["REPLACE(image=IMAGE,object='[x]',prompt='[y]')"],
    asked: [
      'Replace the [x] with a [y].',
      'Swap the [x] for a [y].',
      'Turn the [x] into a [y].',
      'Put a [y] where the [x] is.',
    ],
  },
  {
    call: ["HIDE(image=IMAGE,object='[x]',emoji='smiling_face')"],
    asked: [
      'Put a smiley on the [x].',
      'Cover the [x] with an emoji.',
      'Hide the [x] behind a smiling face.',
      'Hide every [x].',
    ],
  },
  {
    call: ["SEGMENT(image=IMAGE,caption='[x]')", "FILL(image=IMAGE,prompt='[y]')"],
    asked: [
      'Segment the [x] and fill it with a [y].',
      'Cut out the [x] and inpaint a [y].',
      'Mask the [x], then paint a [y] in its place.',
    ],
  },
  {
    call: ["MAKE(image=IMAGE,prompt='[x]')"],
    asked: [
      'Generate a picture of a [x].',
      'Draw a [x].',
      'Create an image of a [x].',
      'Paint a [x] for me.',
      'Make a new picture of a [x].',
    ],
  },
  {
    call: ['SEARCH(image=IMAGE)'],
    asked: [
      'Search for similar pictures.',
      'Look up this picture.',
      'Find photos like this one.',
      'Who built this?',
      'When was this made?',
      'What is the history of this place?',
    ],
  },
  {
    call: [about('[x]')],
    asked: [
      'What colour is the [x]?',
      'What color are the [xs]?',
      'What is the colour of the [x]?',
      'Which colour does the [x] have?',
      'What kind of [x] is this?',
      'What is the [x] doing?',
      'Who is in the [x]?',
      'What is the [x] made of?',
      'Is the [x] open?',
      'Is the [x] large?',
    ],
  },
  {
    call: [about('[x] [y]')],
    asked: [
      'Is the [x] left of the [y]?',
      'What is next to the [x]?',
      'What is on the [x]?',
      'What is to the left of the [x]?',
      'Is the [x] on the [y]?',
      'Is the [x] bigger than the [y]?',
    ],
  },
]

const THINGS: readonly (readonly [one: string, many: string])[] = [
  ['dog', 'dogs'],
  ['red car', 'red cars'],
  ['person', 'people'],
  ['traffic light', 'traffic lights'],
]

/**
 * The dialogues that ship with Pupil, written by us, as demonstrations of the family `chat`: what was
 * asked, the skills that were called, and how the result was told.
 *
 * @source llava-plus §4 (the skills); the wordings are ours
 */
export function startDialogues(): readonly Demonstration[] {
  return ROWS.flatMap(({ call, tell, asked }, row) =>
    asked.map((question, i): Demonstration => {
      const [x = '', xs = ''] = THINGS[i % THINGS.length] ?? []
      const [y = '', ys = ''] = THINGS[(i + 1) % THINGS.length] ?? []
      const fill = (text: string): string =>
        text
          .replace(/\[xs\]/g, xs)
          .replace(/\[ys\]/g, ys)
          .replace(/\[x\]/g, x)
          .replace(/\[y\]/g, y)
      return {
        id: `chat/${String(row).padStart(2, '0')}-${String(i).padStart(2, '0')}`,
        family: 'chat',
        instruction: fill(question),
        program: dialogueProgram(call.map(fill), tell),
        plan: '1. Call the skill. 2. Tell what it gave.',
        verdict: 'right',
        score: 1000,
        origin: 'start',
      }
    }),
  )
}

/** Calls and telling as a program of the chat's little language. */
export function dialogueProgram(calls: readonly string[], tell?: string): string {
  const lines = calls.map((call, i) => `R${i}=${call}`)
  const last = calls.length - 1
  if (tell === undefined) return [...lines, `ANSWER=RESULT(var=R${last})`].join('\n')
  return [...lines, `T=${tell}(of=R${last})`, 'ANSWER=RESULT(var=T)'].join('\n')
}
