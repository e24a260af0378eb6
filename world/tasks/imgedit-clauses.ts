import type { EditKind } from './task.ts'

/** How an edit is asked for: clauses without a full stop, as they stand alone or joined to another. */
export const EDIT_CLAUSES: Readonly<Record<EditKind, readonly string[]>> = {
  replace: [
    'replace {target} with {new}',
    'turn {target} into {new}',
    'swap {target} for {new}',
    'exchange {target} for {new}',
    'put {new} in the place of {target}',
    'make {new} out of {target}',
    'show {new} where {target} can be seen now',
    'change {target} to {new}',
    'let {new} stand in for {target}',
  ],
  remove: [
    'remove {target}',
    'erase {target} from the picture',
    'delete {target}',
    'take {target} out of the image',
    'make {target} disappear',
    'get rid of {target}',
    'wipe {target} out of the picture',
    'leave out {target}',
    'show the scene without {target}',
  ],
  blur: [
    'blur everything but {target}',
    'blur the background and keep {target} sharp',
    'keep {target} in focus and blur the rest',
    'put all but {target} out of focus',
    'defocus the surroundings of {target}',
    'let only {target} be sharp',
    'focus on {target} and blur everything else',
    'make the background of {target} blurry',
    'soften everything around {target}',
  ],
  'colour-pop': [
    'keep {target} in colour and make the rest grey',
    'make everything grey except {target}',
    'turn the picture black and white, but not {target}',
    'leave only {target} coloured',
    'take the colour out of everything but {target}',
    'apply a colour pop to {target}',
    'show {target} in colour on a grey picture',
    'let all but {target} lose its colour',
    'grey out everything around {target}',
  ],
  hide: [
    'hide {target} with {emoji}',
    'cover {target} by {emoji}',
    'put {emoji} over {target}',
    'place {emoji} on {target}',
    'lay {emoji} over {target}',
    'conceal {target} behind {emoji}',
    'stick {emoji} onto {target}',
    'mask {target} with {emoji}',
    'let {emoji} cover {target}',
  ],
}

/** How two edits in a row are asked for. */
export const JOINED: readonly string[] = [
  '{first}, then {second}.',
  'First {first}, and then {second}.',
  '{first} and {second}.',
  'Please {first}; after that {second}.',
  'I want you to {first} and to {second}.',
  'Do two things: {first}, and {second}.',
  'Start like this: {first}. Then {second}.',
  '{first}. In the result, {second}.',
]
