import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { jsonCandidates } from './extract-json.ts'
import { scriptedModel } from './scripted.ts'
import { generateStructured, jsonSchemaOf } from './structured.ts'

const schema = z.object({ animal: z.string(), legs: z.number().int() })
const ask = { messages: [{ role: 'user' as const, content: 'Describe a dog.' }] }
const dog = { animal: 'dog', legs: 4 }
const good = '{"animal": "dog", "legs": 4}'

const readable: readonly (readonly [string, string])[] = [
  ['plain', good],
  ['fenced', '```json\n' + good + '\n```'],
  ['fenced without an end', '```\n' + good],
  ['with prose around', `Sure! Here it is:\n${good}\nI hope {this} helps.`],
  ['with prose and braces before', `The form is {animal, legs}: ${good}`],
  ['with a trailing comma', '{"animal": "dog", "legs": 4,}'],
  ['with a comment', '{"animal": "dog", // a pet\n "legs": 4, // most\n}'],
  ['after thoughts', `<think>{"animal": "cat", "legs": 3}</think>${good}`],
]

for (const [name, text] of readable) {
  test(`a reply is read ${name}`, async () => {
    const { value, repaired } = await generateStructured(scriptedModel([text]), ask, schema, {
      name: 'animal',
    })
    assert.deepEqual([value, repaired], [dog, false])
  })
}

test('commas and slashes inside strings stay', () => {
  assert.deepEqual(jsonCandidates('{"a": "x,}", "b": "http://y", }'), [{ a: 'x,}', b: 'http://y' }])
})

test('a reply without JSON has no candidates, however many brackets it opens', () => {
  assert.deepEqual(jsonCandidates('no'), [])
  assert.deepEqual(jsonCandidates('{['.repeat(100_000)), [])
})

test('of several values the first that fits the schema is taken', async () => {
  const model = scriptedModel([`{"animal": 1}\n${good}`])
  assert.deepEqual((await generateStructured(model, ask, schema, { name: 'animal' })).value, dog)
})

test('without native support the schema stands in the prompt, else it goes to the provider', async () => {
  const plain = scriptedModel([good])
  await generateStructured(plain, ask, schema, { name: 'animal' })
  assert.equal(plain.calls[0]?.schema, undefined)
  assert.match(
    String(plain.calls[0]?.messages[0]?.content),
    /JSON Schema[^]*"legs":\{"type":"integer"/,
  )

  const native = scriptedModel([good], { capabilities: { json: true } })
  await generateStructured(native, ask, schema, { name: 'animal' })
  assert.deepEqual(native.calls[0]?.messages, ask.messages)
  assert.equal(native.calls[0]?.schema?.name, 'animal')
})

test('a reply that does not fit goes back once, with the words of the validator', async () => {
  const model = scriptedModel(['{"animal": "dog", "legs": "four"}', good])
  const { value, repaired, replies } = await generateStructured(model, ask, schema, {
    name: 'animal',
  })
  assert.deepEqual([value, repaired, replies.length], [dog, true, 2])
  const turns = model.calls[1]?.messages.slice(-2)
  assert.deepEqual(turns?.[0], { role: 'assistant', content: '{"animal": "dog", "legs": "four"}' })
  assert.match(String(turns?.[1]?.content), /legs: .*expected (int|number), received string/)
})

test('a cut reply is sent back as cut', async () => {
  const model = scriptedModel([{ text: '{"animal": "do', finish: 'length' }, good])
  await generateStructured(model, ask, schema, { name: 'animal' })
  assert.match(String(model.calls[1]?.messages.at(-1)?.content), /it was cut before its end/)
})

test('a second reply that does not fit is a fault of the model', async () => {
  const model = scriptedModel(['rubbish', 'more rubbish', good])
  await assert.rejects(generateStructured(model, ask, schema, { name: 'animal' }), {
    name: 'ModelFault',
    code: 'E_MODEL_REPLY',
    message: 'scripted/model: the reply does not fit animal: there is no JSON value in it',
  })
  assert.equal(model.calls.length, 2)
})

test('the JSON Schema of a schema is made once, and its objects are closed', async () => {
  const json = await jsonSchemaOf(schema)
  assert.equal(await jsonSchemaOf(schema), json)
  assert.equal((json as { additionalProperties?: boolean }).additionalProperties, false)
  assert.ok(!('$schema' in json))
})
