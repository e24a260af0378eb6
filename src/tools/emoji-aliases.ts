/**
 * Other ways to write an emoji, to its name in `EMOJI_NAMES`.
 *
 * @source program-language §8 (the first four); the rest are everyday words.
 */
export const EMOJI_ALIASES: Readonly<Record<string, string>> = {
  ':)': 'smiling_face',
  ';)': 'winking_face',
  ':p': 'face_with_tongue',
  '8)': 'smiling_face_with_sunglasses',
  ':(': 'frowning_face',
  ':d': 'grinning_face',
  '<3': 'red_heart',
  smile: 'smiling_face',
  smiley: 'smiling_face',
  smiling: 'smiling_face',
  smiling_emoji: 'smiling_face',
  happy_face: 'smiling_face',
  wink: 'winking_face',
  winking: 'winking_face',
  sad_face: 'frowning_face',
  laughing_face: 'face_with_tears_of_joy',
  angry: 'angry_face',
  heart: 'red_heart',
  cool_face: 'smiling_face_with_sunglasses',
  face_with_sunglasses: 'smiling_face_with_sunglasses',
  tongue_out: 'face_with_tongue',
}
