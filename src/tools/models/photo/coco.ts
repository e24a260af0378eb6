/** A class of COCO: its name, its meaning in WordNet as `lemma#sense`, other words for it. */
export interface CocoClass {
  readonly name: string
  /** Absent where WordNet has no entry. */
  readonly sense?: string
  readonly words: readonly string[]
}

const of = (name: string, sense: string, words = ''): CocoClass => ({
  name,
  ...(sense === '' ? {} : { sense }),
  words: words === '' ? [] : words.split(', '),
})

/**
 * The 80 classes in the order of the detector's numbers, with words that mean the same (normalised:
 * lower case, singular). Words that mean less than the class (poodle) or more (animal) stand elsewhere.
 */
export const COCO: readonly CocoClass[] = [
  of(
    'person',
    'person#1',
    'human, human being, folk, individual, someone, somebody, anyone, anybody',
  ),
  of('bicycle', 'bicycle#1', 'bike, cycle, push bike, pushbike'),
  of('car', 'car#1', 'automobile, auto, motorcar, motor car, sedan'),
  of('motorcycle', 'motorcycle#1', 'motorbike, motor bike'),
  of('airplane', 'airplane#1', 'plane, aeroplane, aircraft, jet, jet plane, jetliner, airliner'),
  of('bus', 'bus#1', 'autobus, omnibus, motorbus, double decker'),
  of('train', 'train#1', 'railway train, railroad train, tram, streetcar'),
  of('truck', 'truck#1', 'lorry, motortruck'),
  of('boat', 'boat#1', 'ship, vessel, sailboat, sailing boat'),
  of('traffic light', 'traffic light#1', 'stoplight, stop light, traffic signal'),
  of('fire hydrant', 'fire hydrant#1', 'hydrant, fireplug'),
  of('stop sign', '', 'stopsign'),
  of('parking meter', 'parking meter#1'),
  of('bench', 'bench#1', 'park bench'),
  of('bird', 'bird#1', 'birdie'),
  of('cat', 'cat#1', 'kitty, house cat, pussycat, kitten'),
  of('dog', 'dog#1', 'doggy, doggie, hound, pooch, puppy, pup'),
  of('horse', 'horse#1', 'pony, foal, mare, stallion'),
  of('sheep', 'sheep#1', 'lamb, ram, ewe'),
  of('cow', 'cow#1', 'cattle, bull, calf, ox, bovine'),
  of('elephant', 'elephant#1'),
  of('bear', 'bear#1'),
  of('zebra', 'zebra#1'),
  of('giraffe', 'giraffe#1'),
  of('backpack', 'backpack#1', 'rucksack, knapsack, back pack, schoolbag'),
  of('umbrella', 'umbrella#1', 'parasol, brolly'),
  of('handbag', 'handbag#1', 'purse, hand bag, pocketbook, shoulder bag'),
  of('tie', 'necktie#1', 'necktie, neck tie, bow tie'),
  of('suitcase', 'suitcase#1', 'luggage, travelling bag, traveling bag, baggage'),
  of('frisbee', 'frisbee#1', 'flying disc'),
  of('skis', 'ski#1', 'ski'),
  of('snowboard', 'snowboard#1'),
  of(
    'sports ball',
    'ball#1',
    'ball, football, soccer ball, basketball, tennis ball, volleyball, baseball',
  ),
  of('kite', 'kite#3'),
  of('baseball bat', 'baseball bat#1', 'bat'),
  of('baseball glove', 'baseball glove#1', 'baseball mitt, mitt'),
  of('skateboard', 'skateboard#1'),
  of('surfboard', 'surfboard#1', 'surf board'),
  of('tennis racket', 'tennis racket#1', 'tennis racquet, racket, racquet'),
  of('bottle', 'bottle#1'),
  of('wine glass', '', 'wineglass, goblet'),
  of('cup', 'cup#1', 'mug, coffee cup, teacup, coffee mug, beaker'),
  of('fork', 'fork#1'),
  of('knife', 'knife#1'),
  of('spoon', 'spoon#1', 'teaspoon, tablespoon'),
  of('bowl', 'bowl#1'),
  of('banana', 'banana#2'),
  of('apple', 'apple#1'),
  of('sandwich', 'sandwich#1'),
  of('orange', 'orange#1'),
  of('broccoli', 'broccoli#2'),
  of('carrot', 'carrot#1'),
  of('hot dog', 'hot dog#2', 'hotdog'),
  of('pizza', 'pizza#1', 'pizza pie'),
  of('donut', 'donut#1', 'doughnut'),
  of('cake', 'cake#3', 'birthday cake'),
  of('chair', 'chair#1', 'armchair'),
  of('couch', 'couch#1', 'sofa, settee, loveseat, lounge'),
  of('potted plant', '', 'pot plant, houseplant, house plant, plant, plant pot'),
  of('bed', 'bed#1'),
  of('dining table', 'dining table#1', 'table, kitchen table, dinner table'),
  of('toilet', 'toilet#2', 'toilet bowl, lavatory'),
  of('tv', 'tv#2', 'television, television set, tv set, tv screen, monitor, telly, flat screen'),
  of('laptop', 'laptop#1', 'laptop computer, notebook computer'),
  of('mouse', 'mouse#4', 'computer mouse'),
  of('remote', 'remote#1', 'remote control, tv remote, remote controller'),
  of('keyboard', 'keyboard#1', 'computer keyboard'),
  of(
    'cell phone',
    'cellular telephone#1',
    'mobile phone, phone, telephone, smartphone, mobile, cellphone',
  ),
  of('microwave', 'microwave#2', 'microwave oven'),
  of('oven', 'oven#1', 'stove, cooker'),
  of('toaster', 'toaster#2'),
  of('sink', 'sink#1', 'washbasin, wash basin, basin'),
  of('refrigerator', 'refrigerator#1', 'fridge, icebox, freezer'),
  of('book', 'book#2', 'paperback'),
  of('clock', 'clock#1', 'wall clock, alarm clock'),
  of('vase', 'vase#1'),
  of('scissors', 'scissors#1', 'scissor, pair of scissors'),
  of('teddy bear', 'teddy bear#1', 'teddy'),
  of('hair drier', 'blow dryer#1', 'hair dryer, hairdryer, blow dryer'),
  of('toothbrush', 'toothbrush#1', 'tooth brush'),
]

/** Words that the detector can only read as `person`: who it is, it cannot tell. */
export const PERSON_WORDS: readonly string[] = (
  'man, woman, boy, girl, child, kid, baby, toddler, infant, adult, teenager, guy, lady, gentleman, ' +
  'male, female, pedestrian, passenger, driver, cyclist, biker, rider, player, surfer, skier, ' +
  'snowboarder, skateboarder, tourist, visitor, worker, student, customer, spectator, astronaut, ' +
  'athlete, crowd, family, couple, team, mother, father, bride, groom, chef, cook, waiter, waitress, ' +
  'policeman, police officer, soldier, doctor, nurse, farmer, singer, dancer, musician'
).split(', ')

/** Words for several classes at once. WordNet knows more; these are the everyday ones, checked by hand. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  animal: ['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe'],
  pet: ['cat', 'dog', 'bird'],
  'farm animal': ['horse', 'sheep', 'cow'],
  'wild animal': ['elephant', 'bear', 'zebra', 'giraffe'],
  livestock: ['horse', 'sheep', 'cow'],
  vehicle: ['bicycle', 'car', 'motorcycle', 'airplane', 'bus', 'train', 'truck', 'boat'],
  'motor vehicle': ['car', 'motorcycle', 'bus', 'truck'],
  'road vehicle': ['bicycle', 'car', 'motorcycle', 'bus', 'truck'],
  van: ['car', 'truck'],
  taxi: ['car'],
  cab: ['car'],
  'two wheeler': ['bicycle', 'motorcycle'],
  furniture: ['bench', 'chair', 'couch', 'bed', 'dining table'],
  seat: ['bench', 'chair', 'couch'],
  fruit: ['banana', 'apple', 'orange'],
  vegetable: ['broccoli', 'carrot'],
  food: [
    'banana',
    'apple',
    'sandwich',
    'orange',
    'broccoli',
    'carrot',
    'hot dog',
    'pizza',
    'donut',
    'cake',
  ],
  snack: ['sandwich', 'hot dog', 'pizza', 'donut', 'cake'],
  dessert: ['donut', 'cake'],
  bag: ['backpack', 'handbag', 'suitcase'],
  glass: ['wine glass', 'cup'],
  drink: ['bottle', 'wine glass', 'cup'],
  dish: ['bowl', 'cup', 'wine glass'],
  tableware: ['wine glass', 'cup', 'fork', 'knife', 'spoon', 'bowl'],
  cutlery: ['fork', 'knife', 'spoon'],
  silverware: ['fork', 'knife', 'spoon'],
  utensil: ['fork', 'knife', 'spoon'],
  container: ['bottle', 'wine glass', 'cup', 'bowl', 'vase'],
  appliance: ['microwave', 'oven', 'toaster', 'refrigerator', 'hair drier'],
  'kitchen appliance': ['microwave', 'oven', 'toaster', 'refrigerator'],
  electronics: ['tv', 'laptop', 'mouse', 'remote', 'keyboard', 'cell phone'],
  device: ['tv', 'laptop', 'remote', 'keyboard', 'cell phone'],
  screen: ['tv', 'laptop', 'cell phone'],
  computer: ['laptop', 'keyboard', 'mouse', 'tv'],
  'sports equipment': [
    'frisbee',
    'skis',
    'snowboard',
    'sports ball',
    'kite',
    'baseball bat',
    'baseball glove',
    'skateboard',
    'surfboard',
    'tennis racket',
  ],
  toy: ['teddy bear', 'kite', 'frisbee'],
  'traffic sign': ['stop sign'],
  board: ['skateboard', 'surfboard', 'snowboard'],
}

/** Names of the 80 classes, in the order of the detector's numbers. */
export const COCO_NAMES: readonly string[] = COCO.map((one) => one.name)
