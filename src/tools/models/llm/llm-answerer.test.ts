import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../../../image/index.ts'
import { requestPictures, scriptedModel } from '../../../llm/index.ts'
import { NO_BACKENDS } from '../../backends.ts'
import { testContext } from '../../scripted.ts'
import { createToolbox } from '../../toolbox.ts'
import { llmAnswerer, llmCaptioner } from './llm-answerer.ts'
import { llmLister } from './llm-lister.ts'

const image = solidImage({ width: 8, height: 8 }, [200, 30, 30])

test('a vision-language model answers VQA and CAPTION about the picture it is sent', async () => {
  const model = scriptedModel(['A Red Square.', ' A plain\nred square. '])
  const toolbox = createToolbox({
    backends: {
      ...NO_BACKENDS,
      answerers: [llmAnswerer(model)],
      captioners: [llmCaptioner(model)],
    },
  })
  const answer = await toolbox.call('VQA', { image, question: 'What is it?' }, testContext())
  assert.equal(answer.value, 'a red square')
  assert.equal(answer.raw, 'A Red Square.')
  assert.deepEqual(answer.models, [{ name: 'scripted/model' }])
  const caption = await toolbox.call('CAPTION', { image }, testContext())
  assert.equal(caption.value, 'A plain red square.')
  for (const request of model.calls) {
    assert.deepEqual(
      requestPictures(request).map((picture) => picture.hash),
      [image.hash],
    )
  }
})

test('"unknown" is no answer, and a blind model passes the question on', async () => {
  const honest = llmAnswerer(scriptedModel(['Unknown.']))
  assert.equal((await honest.answer(image, 'Who?')).outcome, 'unknown')
  const blind = llmAnswerer(scriptedModel([], { capabilities: { vision: false } }))
  assert.equal((await blind.answer(image, 'Who?')).outcome, 'unavailable')
})

test('LIST asks for names, one on each line', async () => {
  const model = scriptedModel(['1. Monica\n2. Ross\n3. monica'])
  const toolbox = createToolbox({ backends: { ...NO_BACKENDS, listers: [llmLister(model)] } })
  const result = await toolbox.call(
    'LIST',
    { query: 'characters of Friends', max: 2 },
    testContext(),
  )
  assert.deepEqual(result.value, ['Monica', 'Ross'])
})
