/**
 * Which models stand behind the tools.
 *
 * `photo`: photographs, by model files out of npm packages. `starter`: drawings, by the small models that we
 * trained. `hub` and `remote`: none of both; only what is configured by role, and the doctor says so.
 */
export type Profile = 'photo' | 'starter' | 'hub' | 'remote'

export const PROFILES: readonly Profile[] = ['photo', 'starter', 'hub', 'remote']

/** What each profile is for, in a line. */
export const PROFILE_WORDS: { readonly [P in Profile]: string } = {
  photo: 'photographs: 80 everyday kinds, faces and text; it generates nothing',
  starter: 'drawings: some 430 things by name; every tool of the papers that can learn',
  hub: 'no model of its own: models from the Hugging Face hub are not packaged yet',
  remote:
    'no model of its own: what is configured by role (models.vqa, generator …) and nothing else',
}

/** What a profile leaves open, with what fills it; undefined where nothing is left open. */
export const PROFILE_GAPS: { readonly [P in Profile]: string } = {
  photo: 'For drawings use --profile starter.',
  starter:
    'For photographs, faces and text use --profile photo: these models know drawings and say so.',
  hub: 'LOC, SEG, SELECT, CLASSIFY, FACEDET and OCR say that they have no back end. Use --profile photo or starter.',
  remote:
    'LOC, SEG, SELECT, CLASSIFY, FACEDET and OCR say that they have no back end: no served model speaks for them yet. Name models.vqa, models.caption, models.list or models.generator in pupil.config.ts.',
}
