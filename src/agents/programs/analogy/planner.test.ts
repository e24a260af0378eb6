import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Demonstration } from '../../../memory/index.ts'
import { memoryDemonstrations, startDemonstrations } from '../../../memory/index.ts'
import { FAMILIES } from '../../../program/index.ts'
import { SIGNATURES } from '../../../tools/index.ts'
import type { Analogy, AnalogyPlanner } from './planner.ts'
import { createAnalogyPlanner } from './planner.ts'

const count = (object: string): string =>
  `BOX0=LOC(image=IMAGE,object='${object}')\nANSWER0=COUNT(box=BOX0)\nFINAL_RESULT=RESULT(var=ANSWER0)`

const shown = (more: Partial<Demonstration>): Demonstration => ({
  ...{ id: 'new', family: 'gqa', instruction: '', verdict: 'right', score: 0, origin: 'human' },
  ...more,
})

function started(demonstrations: readonly Demonstration[] = startDemonstrations()) {
  const pool = memoryDemonstrations(demonstrations)
  return { pool, planner: createAnalogyPlanner({ pool, signatures: SIGNATURES }) }
}

const plan = (
  planner: AnalogyPlanner,
  instruction: string,
  family: keyof typeof FAMILIES = 'gqa',
): Promise<readonly Analogy[]> => planner.plan({ family: FAMILIES[family], instruction })

const first = async (...args: Parameters<typeof plan>): Promise<string> =>
  (await plan(...args))[0]?.program ?? ''

test('names of several words are bound whole, and in the singular where tools want it', async () => {
  const { planner } = started()
  assert.equal(await first(planner, 'How many fire hydrants are there?'), count('fire hydrant'))
  assert.equal(await first(planner, 'How many bottles of wine are there?'), count('bottle of wine'))
  assert.equal(await first(planner, 'Count the baseball bats.'), count('baseball bat'))
})

test('the side a thing is on goes with it, where the demonstration had another', async () => {
  const { planner } = started()
  const edits: readonly (readonly [string, RegExp])[] = [
    ['Remove the person on the right', /query='person on the right'.*\n.*REPLACE/],
    ['Colour pop the girl on the left', /query='girl on the left'.*\n.*COLORPOP/],
    ['Hide the left face with a cat emoji', /FACEDET[^]*query='face on the left'[^]*emoji='cat'/],
  ]
  for (const [words, program] of edits) {
    assert.match(await first(planner, words, 'imgedit'), program, words)
  }
})

test('what is whose is looked for at its owner', async () => {
  const { planner } = started()
  const program = await first(planner, "What colour is the jockey's cap?")
  assert.match(program, /^BOX0=LOC\(image=IMAGE,object='jockey'\)\n.*CROP.*\n.*is the cap\?/)
})

test('what the photo tools answer about the whole picture can be asked', async () => {
  const { planner } = started()
  for (const [words, question] of [
    ['Is it day or night?', 'Is it night or day?'],
    ['Was this photo taken at night?', 'Is it night?'],
    ['Is the picture black and white?', 'Is the picture black and white?'],
    ['What colour is the background?', 'What color is the background?'],
    ['Which is bigger, the dog or the cat?', 'Which is bigger, the dog or the cat?'],
  ] as const) {
    assert.equal(
      await first(planner, words),
      `ANSWER0=VQA(image=IMAGE,question='${question}')\nFINAL_RESULT=RESULT(var=ANSWER0)`,
    )
  }
})

test('the plan says the relation and the side of the new instruction', async () => {
  const { planner } = started()
  for (const [words, family, says] of [
    ['Is there a goose right of the swan?', 'gqa', /right of it/],
    ['Is there a goose above the swan?', 'gqa', /above it/],
    ['Remove the person on the right', 'imgedit', /person on the right/],
  ] as const) {
    const [found] = await plan(planner, words, family)
    assert.match(found?.plan ?? '', says, words)
    assert.doesNotMatch(found?.plan ?? '', /left/, words)
  }
})

test('small words that belong to a verb are no things', async () => {
  const { planner } = started()
  for (const words of ['Which colour is the bus painted in?', 'The bus is which colour?']) {
    assert.match(await first(planner, words), /^BOX0=LOC\(image=IMAGE,object='bus'\)/, words)
  }
  const all = await first(planner, 'Blur all but the fox', 'imgedit')
  assert.match(all, /query='fox'.*\n.*BGBLUR/)
  const faces = await first(planner, 'Anonymise all the faces using a smiley', 'imgedit')
  assert.match(faces, /^OBJ0=FACEDET\(image=IMAGE\)\nIMAGE0=EMOJI/)
})

test('only what asks for writing reads it: to say something is no word for nothing', async () => {
  const { planner } = started()
  for (const words of [
    'What is the cat thinking about?',
    'What is the man holding up?',
    'What is the dog looking at?',
  ]) {
    for (const { program } of await plan(planner, words).catch(() => [])) {
      assert.doesNotMatch(program, / say\?/, words)
    }
  }
  assert.match(await first(planner, 'What does the board say?'), /'What does the board say\?'/)
  assert.match(
    await first(planner, 'Say how many cats there are.'),
    /LOC\(image=IMAGE,object='cat'\)/,
  )
})

test('numbers, comparisons, relations, sides and colours of the new instruction are bound', async () => {
  const { planner } = started()
  assert.match(await first(planner, 'Are there at most twenty-one geese?'), /<= 21/)
  assert.match(await first(planner, 'Is there a goose below the swan?'), /CROP_BELOW.*\n.*'goose'/)
  assert.match(await first(planner, 'Is the goose turquoise?'), /'turquoise' in/)
  const more = await first(
    planner,
    'There are fewer geese in the right picture than in the left one.',
    'nlvr',
  )
  assert.match(more, /image=RIGHT,question='How many geese are there\?'\)\n.*image=LEFT[^]* < /)
})

test('emoji are found by their names and aliases', async () => {
  const { planner } = started()
  assert.match(await first(planner, 'Hide every face with a robot', 'imgedit'), /emoji='robot'/)
  assert.match(
    await first(planner, 'Put 8) over all faces', 'imgedit'),
    /smiling_face_with_sunglasses/,
  )
})

test('names keep their capitals', async () => {
  const { planner } = started()
  assert.match(
    await first(planner, 'Label the faces as James, Iris and Wes.', 'tagging'),
    /categories='James, Iris, Wes'/,
  )
})

test('what one demonstration does not cover is put together from parts', async () => {
  const { planner } = started()
  const edit = await first(
    planner,
    'Remove the bin, replace the cat with a dog and blur the background except the dog',
    'imgedit',
  )
  assert.match(edit, /IMAGE0=REPLACE\(image=IMAGE,.*'background'\)/)
  assert.match(edit, /IMAGE1=REPLACE\(image=IMAGE0,.*'a dog'\)/)
  assert.match(edit, /IMAGE2=BGBLUR\(image=IMAGE1,.*\)\nFINAL_RESULT=RESULT\(var=IMAGE2\)/)
  assert.equal(edit.match(/=SEG\(/g)?.length, 1, 'the picture is segmented once')
  const question = await first(
    planner,
    'Is there a cat left of the sofa and a dog right of the bed?',
  )
  assert.match(
    question,
    /CROP_LEFTOF[^]*CROP_RIGHTOF[^]*'yes' if \{ANSWER\d\} and \{ANSWER\d\} else 'no'/,
  )
})

test('braces and quotes of an instruction never become code', async () => {
  const { planner } = started()
  const program = await first(planner, 'Replace the cup with "{IMAGE}" flowers', 'imgedit')
  assert.doesNotMatch(program, /(?<!\{)\{IMAGE\}(?!\})/)
})

test('it learns from a demonstration that is added while it runs, and forgets a removed one', async () => {
  const { pool, planner } = started()
  const instruction = 'Which fraction of the geese is asleep?'
  await assert.rejects(plan(planner, instruction), { code: 'E_NOT_UNDERSTOOD' })
  await pool.put(
    shown({
      instruction: 'Which fraction of the cows is asleep?',
      program: `ANSWER0=VQA(image=IMAGE,question='How many cows are asleep?')
BOX0=LOC(image=IMAGE,object='cow')
ANSWER1=COUNT(box=BOX0)
ANSWER2=EVAL(expr='{ANSWER0} / {ANSWER1}')
FINAL_RESULT=RESULT(var=ANSWER2)`,
    }),
  )
  const program = await first(planner, instruction)
  assert.match(program, /How many geese are asleep\?/)
  assert.match(program, /object='goose'/)
  await pool.remove('new')
  await assert.rejects(plan(planner, instruction), { code: 'E_NOT_UNDERSTOOD' })
})

test('blocks are learnt like anything else', async () => {
  const { planner } = started([
    shown({
      family: 'open',
      instruction: 'Ask of each cup what colour it is.',
      program: `BOX0=LOC(image=IMAGE,object='cup')
for OBJ0 in BOX0 gather ANSWER0 as LIST0
IMAGE0=CROP(image=IMAGE,box=OBJ0)
ANSWER0=VQA(image=IMAGE0,question='What color is the cup?')
end
FINAL_RESULT=RESULT(var=LIST0)`,
    }),
  ])
  const program = await first(planner, 'Ask of each plate what colour it is.', 'open')
  assert.match(program, /object='plate'\)\nfor OBJ0[^]*What color is the plate\?/)
})

test('a wrong demonstration lowers what it resembles, most of all for its own instruction', async () => {
  const { pool, planner } = started()
  const confidence = async (instruction: string): Promise<number> =>
    (await plan(planner, instruction)).find(({ program }) => program.includes('COUNT'))
      ?.confidence ?? 0
  const before = [
    await confidence('How many gloves are there?'),
    await confidence('What colour is the car?'),
  ]
  await pool.put(
    shown({
      instruction: 'How many gloves are there?',
      program: count('glove'),
      verdict: 'wrong',
      critique: 'Gloves are not among the words of the detector.',
    }),
  )
  const after = [
    await confidence('How many gloves are there?'),
    await confidence('What colour is the car?'),
  ]
  assert.ok((after[0] ?? 1) < 0.7 * (before[0] ?? 0), `${before[0]} -> ${after[0]}`)
  assert.equal(after[1], before[1])
  assert.ok((await confidence('How many zebras are there?')) > (after[0] ?? 1))
})

test('where a right one was taught for the same words, it wins over the general way', async () => {
  const { pool, planner } = started()
  await pool.put(
    shown({
      instruction: 'How many gloves are there?',
      program:
        "ANSWER0=VQA(image=IMAGE,question='How many gloves are there?')\nFINAL_RESULT=RESULT(var=ANSWER0)",
    }),
  )
  await pool.put(
    shown({
      id: 'w',
      instruction: 'How many gloves are there?',
      program: count('glove'),
      verdict: 'wrong',
    }),
  )
  assert.match(await first(planner, 'How many gloves are there?'), /^ANSWER0=VQA/)
  assert.equal(await first(planner, 'How many horses are there?'), count('horse'))
})

test('unverified and voted-down demonstrations are out of use', async () => {
  const { planner } = started([
    shown({
      id: 'a',
      instruction: 'How many dogs are there?',
      program: count('dog'),
      unverified: true,
    }),
    shown({ id: 'b', instruction: 'How many dogs are there?', program: count('dog'), score: -3 }),
  ])
  await assert.rejects(plan(planner, 'How many dogs are there?'), { code: 'E_NOT_UNDERSTOOD' })
})

test('it refuses what is like nothing, and says what it understands', async () => {
  const { planner } = started()
  await assert.rejects(
    plan(planner, 'Rotate the picture by ninety degrees', 'imgedit'),
    (error: Error & { cure?: string }) => {
      assert.match(
        error.message,
        /^"Rotate the picture by ninety degrees" is like nothing that I was shown\.$/,
      )
      assert.match(error.cure ?? '', /^I understand such as ".+", ".+"/)
      return true
    },
  )
  const empty = started([]).planner
  await assert.rejects(plan(empty, 'How many dogs?'), (error: Error & { cure?: string }) => {
    assert.match(error.cure ?? '', /I know no demonstration for gqa yet/)
    return true
  })
})

test('empty, huge and odd instructions are refused, never a crash', async () => {
  const { planner } = started()
  for (const instruction of [
    '',
    '   ',
    '???',
    '🐕',
    'dog '.repeat(2_000),
    'and and and and or or',
    '{}{}',
    '\u0000',
  ]) {
    await assert.rejects(plan(planner, instruction), { code: 'E_NOT_UNDERSTOOD' })
  }
})
