import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePicture, solidImage } from '../image/index.ts'
import { SIGNATURES } from '../tools/index.ts'
import type { Pupil } from './pupil.ts'
import { callableSkills, skillRequest } from './skill-call.ts'

const pupil = {
  config: { limits: { bytes: 1e6, pixels: 1e7 } },
  tools: () => Promise.resolve(SIGNATURES),
} as unknown as Pupil
const picture = await encodePicture(solidImage({ width: 1280, height: 320 }, [1, 2, 3]), 'png')

const programOf = async (tool: string, args: Record<string, unknown>): Promise<string> => {
  const request = await skillRequest({ tool, args, pictures: { image: picture } }, pupil)
  return request.program?.split('\n')[0] ?? ''
}

test('a skill becomes a program of one step', async () => {
  assert.equal(await programOf('LOC', { object: 'dog' }), "OUTCOME=LOC(image=IMAGE,object='dog')")
  assert.equal(
    await programOf('SELECT', { object: [[0, 0, 10, 10]], query: ['cat', 'dog'] }),
    "OUTCOME=SELECT(image=IMAGE,object=[[0,0,5,5]],query=['cat','dog'])",
  )
})

test('boxes are given in pixels of the original and arrive in those of the run', async () => {
  assert.equal(
    await programOf('CROP', { box: [100, 40, 1280, 320] }),
    'OUTCOME=CROP(image=IMAGE,box=[[50,20,640,160]])',
  )
})

test('what a text holds stays text: quotes, line breaks and braces begin nothing', async () => {
  const { parse, stepsOf } = await import('../program/index.ts')
  const text = `') \nX=VQA("{IMAGE}") 'or' "else" {{y}}`
  const request = await skillRequest(
    { tool: 'VQA', args: { question: text }, pictures: { image: picture } },
    pupil,
  )
  const tree = parse(request.program ?? '')
  assert.deepEqual(tree.diagnostics, [])
  assert.deepEqual(
    stepsOf(tree.body).map((step) => step.tool.name),
    ['VQA', 'RESULT'],
  )
  const value = stepsOf(tree.body)[0]?.args[1]?.value
  assert.equal(value?.type === 'string' && value.text, text.replace(/[{}]/g, '$&$&'))
})

test('tools of programs only, unknown tools and wrong boxes are refused', async () => {
  assert.deepEqual(
    SIGNATURES.filter((one) => !callableSkills(SIGNATURES).includes(one)).map(({ name }) => name),
    ['EVAL', 'RESULT'],
  )
  await assert.rejects(programOf('LOCC', {}), { code: 'T_UNKNOWN_TOOL', cure: /LOC/ })
  await assert.rejects(programOf('CROP', { box: ['a'] }), /list of boxes/)
})
