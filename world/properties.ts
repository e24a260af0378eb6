/** A predicate read out of the glosses of WordNet by a person (picture-world §1). */
export interface Property {
  /** "is nocturnal": what is said of a thing, in the third person. */
  readonly says: string
  /** The same as a question after "Is it" / "Does it": "nocturnal", "have strings". */
  readonly asks: string
  readonly verb: 'is' | 'has' | 'does'
  /** Words of the gloss on which it rests, by concept. */
  readonly truths: Readonly<Record<string, string>>
  /** Surely false; the others are not asked about. */
  readonly falsehoods: readonly string[]
}

/** Every row quotes the gloss of each concept for which it is true (a test looks it up). */
export const PROPERTIES: readonly Property[] = [
  {
    says: 'is nocturnal',
    asks: 'nocturnal',
    verb: 'is',
    truths: {
      owl: 'nocturnal bird of prey',
      bat: 'nocturnal mouselike mammal',
      raccoon: 'omnivorous nocturnal mammal',
      hedgehog: 'small nocturnal Old World mammal',
      cockroach: 'chiefly nocturnal insects',
    },
    falsehoods: ['butterfly', 'eagle', 'anchor', 'umbrella', 'violin', 'bus', 'chair', 'hammer'],
  },
  {
    says: 'has stripes',
    asks: 'have stripes',
    verb: 'has',
    truths: { tiger: 'with black stripes', zebra: 'black-and-white striped' },
    falsehoods: ['elephant', 'polar-bear', 'lion', 'anchor', 'banana', 'bell', 'spoon', 'owl'],
  },
  {
    says: 'is extinct',
    asks: 'extinct',
    verb: 'is',
    truths: {
      dodo: 'extinct heavy flightless bird',
      mammoth: 'extinct elephants',
    },
    falsehoods: ['dog', 'owl', 'camel', 'duck', 'cow', 'pig', 'rabbit', 'penguin'],
  },
  {
    says: 'cannot fly',
    asks: 'flightless',
    verb: 'is',
    truths: { penguin: 'flightless birds', dodo: 'flightless bird' },
    falsehoods: ['eagle', 'owl', 'swan', 'dove', 'parrot', 'flamingo'],
  },
  {
    says: 'has strings',
    asks: 'have strings',
    verb: 'has',
    truths: {
      guitar: 'usually having six strings',
      violin: 'stringed instrument',
      banjo: 'stringed instrument of the guitar family',
    },
    falsehoods: ['saxophone', 'trumpet', 'trombone', 'flute', 'maraca', 'drum', 'bell'],
  },
  {
    says: 'has a mast',
    asks: 'have a mast',
    verb: 'has',
    truths: { sailboat: 'with a single mast' },
    falsehoods: ['bus', 'bicycle', 'helicopter', 'chair', 'apple', 'canoe'],
  },
  {
    says: 'is made of wax',
    asks: 'made of wax',
    verb: 'is',
    truths: { candle: 'stick of wax', crayon: 'composition wax' },
    falsehoods: ['key', 'anchor', 'hammer', 'coin', 'sock', 'brick'],
  },
  {
    says: 'stores data',
    asks: 'store data',
    verb: 'does',
    truths: { 'floppy-disk': 'used to store data', 'optical-disk': 'store digital data' },
    falsehoods: ['bucket', 'umbrella', 'spoon', 'apple', 'glove', 'tree'],
  },
  {
    says: 'tells the time',
    asks: 'tell the time',
    verb: 'does',
    truths: { watch: 'timepiece', stopwatch: 'a timepiece' },
    falsehoods: ['apple', 'boot', 'chair', 'fish', 'ladder', 'soap'],
  },
  {
    says: 'has eight legs',
    asks: 'have eight legs',
    verb: 'has',
    truths: { spider: 'predatory arachnid with eight legs' },
    falsehoods: ['ant', 'honeybee', 'butterfly', 'dog', 'fly', 'snake'],
  },
  {
    says: 'lives in water',
    asks: 'live in water',
    verb: 'does',
    truths: {
      whale: 'cetacean mammals',
      fish: 'aquatic vertebrates',
      hippopotamus: 'living in or around rivers',
      oyster: 'found on the sea bed',
      jellyfish: 'marine',
      shark: 'marine carnivorous fishes',
    },
    falsehoods: ['camel', 'giraffe', 'owl', 'ant', 'elephant', 'cat', 'horse'],
  },
  {
    says: 'cuts',
    asks: 'used for cutting',
    verb: 'is',
    truths: {
      saw: 'for cutting',
      knife: 'used as a cutting instrument',
      sword: 'cutting or thrusting weapon',
    },
    falsehoods: ['spoon', 'broom', 'ladder', 'bell', 'bucket', 'soap', 'ruler'],
  },
  {
    says: 'protects the eyes',
    asks: 'protect the eyes',
    verb: 'does',
    truths: { goggles: 'protect the eyes', sunglasses: 'protect the eyes' },
    falsehoods: ['sock', 'glove', 'shoe', 'shorts', 'ring', 'boot'],
  },
  {
    says: 'is used in farming',
    asks: 'used in farming',
    verb: 'is',
    truths: { tractor: 'used in farming' },
    falsehoods: ['taxi', 'ambulance', 'police-car', 'racing-car', 'ferry', 'rocket'],
  },
]
