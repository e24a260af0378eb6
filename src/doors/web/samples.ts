import astronaut from './samples/astronaut.jpg'
import chelsea from './samples/chelsea.jpg'
import coffee from './samples/coffee.jpg'

/** A picture to try, with a thing to say about it. */
export interface Sample {
  readonly name: string
  readonly address: string
  readonly instruction: string
  readonly credit: string
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'astronaut.jpg',
    address: astronaut,
    instruction: 'Hide every face with a smiling emoji',
    credit: 'NASA, public domain',
  },
  {
    name: 'chelsea.jpg',
    address: chelsea,
    instruction: 'Blur the background except the cat',
    credit: 'Stéfan van der Walt, CC0',
  },
  {
    name: 'coffee.jpg',
    address: coffee,
    instruction: 'How many cups are there?',
    credit: 'Rachel Michetti, CC0',
  },
]
