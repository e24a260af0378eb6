import fc from 'fast-check'

// Property tests draw the same cases on every run, so that a failure is the change's and not the draw's.
// `PUPIL_TEST_SEED=random npm test` hunts for new ones; a number repeats a hunt.
const wanted = process.env['PUPIL_TEST_SEED'] ?? '20261130'
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })
