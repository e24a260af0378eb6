/** What a dialogue may ask for; the first turn gives the task's wording. */
export type TurnKind =
  | 'detect'
  | 'segment'
  | 'semantic'
  | 'point'
  | 'box'
  | 'tag'
  | 'caption'
  | 'caption-ground'
  | 'tag-ground'
  | 'retrieve'
  | 'edit'
  | 'inpaint'
  | 'knowledge'
  | 'absent'
  | 'other'

/** Questions by kind of turn; slots are filled from the scene. */
export const TURN_WORDINGS: Readonly<Record<TurnKind, readonly string[]>> = {
  detect: [
    'Where are the {many}? Please count them too.',
    'Can you find every {name} and tell me how many there are?',
    'How many {many} do you see, and where?',
    'Locate the {many} for me and give their number.',
    'I need boxes around all {many}. How many are there?',
    'Point out each {name} and count.',
    'Detect the {many} in this picture and say how many you found.',
    'Show the position of every {name}. What is their number?',
  ],
  segment: [
    'Cut out the {many} for me. How many are there?',
    'Give me a mask of each {name}, with their number.',
    'Segment every {name} and count them.',
    'I need the outline of all {many}. How many did you get?',
    'Separate the {many} from the rest and tell their number.',
    'Mark the exact pixels of each {name}. How many are there?',
    'Instance segmentation of the {many}, please, and a count.',
    'Trace the shape of every {name}; how many shapes is that?',
  ],
  semantic: [
    'Now segment the whole picture.',
    'Can you divide the scene into its regions?',
    'Give me a segmentation map of everything.',
    'Colour each region of the image by what it is.',
    'Split the picture into labelled areas.',
    'Do a semantic segmentation, please.',
    'Show which pixels belong to which thing.',
    'I want the entire scene segmented.',
  ],
  point: [
    'What is at the point {point}? Give me its mask.',
    'Segment the thing at {point}.',
    'I clicked at {point}. Cut out what is there.',
    'Take the point {point} and mark the object under it.',
    'Which object covers {point}? Mask it, please.',
    'Select what lies at {point}.',
    'From the point {point}, give me the whole object.',
    'Outline the thing I point at: {point}.',
  ],
  box: [
    'Segment what is in the box {box}.',
    'Give me the mask of the thing in {box}.',
    'I drew the box {box}. Cut out its content.',
    'Take the box {box} and outline the object.',
    'Which pixels in {box} belong to the object?',
    'Make a precise mask from the box {box}.',
    'Refine my box {box} to a mask.',
    'What is in {box}? Mask it.',
  ],
  tag: [
    'Which things are in the picture? Just tags.',
    'Give me tags for this image.',
    'List what can be seen.',
    'What would you tag here?',
    'Name everything in the scene by keywords.',
    'I need keywords for this picture.',
    'Enumerate the objects.',
    'Tag this image, please.',
  ],
  caption: [
    'Describe the picture in one sentence.',
    'Give me a caption.',
    'What does this image show, in short?',
    'Write one sentence about the scene.',
    'How would you caption this?',
    'Summarise the picture.',
    'Tell me briefly what is to be seen.',
    'A short description, please.',
  ],
  'caption-ground': [
    'Describe the picture and show where each thing is.',
    'Give me a caption with boxes for what it names.',
    'Caption this and ground the nouns.',
    'Write a sentence about the scene and locate what you mention.',
    'What is shown, and where exactly?',
    'Describe it, then point to everything you named.',
    'I want a description with positions.',
    'Caption with a box for every thing in it, please.',
  ],
  'tag-ground': [
    'Tag the picture and box each tag.',
    'List the objects with their positions.',
    'Which things are there, and where is each?',
    'Give me tags with boxes.',
    'Name everything and locate it.',
    'Find all objects you can name.',
    'Detect everything without my telling you what.',
    'Make a list of the things with a box each.',
  ],
  retrieve: [
    'Find other pictures of {an}.',
    'Show me more images like the {name}.',
    'Search for pictures with {an}.',
    'Are there further pictures of {an} in the collection?',
    'Look up images that show {an}.',
    'I would like to see another {name}.',
    'Retrieve pictures of {an}, please.',
    'Get me some examples of {an}.',
  ],
  edit: [
    'Turn {the} into {new}.',
    'Please replace {the} with {new}.',
    'Make {the} {new}.',
    'Edit the picture: {new} in the place of {the}.',
    'Swap {the} for {new}.',
    'Change {the} to {new}, please.',
    'I would rather have {new} than {the}.',
    'Can you exchange {the} for {new}?',
  ],
  inpaint: [
    'Remove {the}.',
    'Take {the} out of the picture.',
    'Erase {the} and fill the gap.',
    'The picture would be better without {the}. Change that.',
    'Delete {the}, please.',
    'Make {the} vanish.',
    'Fill in the background where {the} is.',
    'Get rid of {the}.',
  ],
  knowledge: [
    'What kind of thing is {an}, by the way?',
    'Tell me what {an} is.',
    'To which group of things does {an} belong?',
    'Can you look up what {an} is?',
    'What does one call the wider class of {an}?',
    'Give me some background on the {name}.',
    'How is {an} classified?',
    'Explain what {an} is a kind of.',
  ],
  absent: [
    'Is there {an2} as well?',
    'Where is the {name2}?',
    'Can you also find {an2}?',
    'And what about {an2}?',
    'Please mark the {name2} too.',
    'Does the picture show {an2}?',
    'I think there is {an2} somewhere. Where?',
    'Locate the {name2}, please.',
  ],
  other: [
    'And the other one?',
    'What about the second one?',
    'And where is the other?',
    'Now the other one, please.',
    'The same for the other one.',
    'And what of the other thing that you named?',
    'Do that for the other one too.',
    'Then tell me about the other.',
  ],
}
