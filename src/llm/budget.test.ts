import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeClock } from '../testing/index.ts'
import { createBudget } from './budget.ts'
import type { ModelRequest } from './model.ts'
import { scriptedModel } from './scripted.ts'
import { withBudget } from './with-budget.ts'

const ask: ModelRequest = { messages: [{ role: 'user', content: 'x' }] }
const usage = { inputTokens: 60, outputTokens: 40 }

test('a budget counts what is spent and names the limit that is reached', () => {
  const budget = createBudget({ calls: 2, tokens: 1000 }, fakeClock())
  budget.charge({ calls: 1 })
  budget.record({ tokens: 400 })
  assert.equal(budget.exhausted(), undefined)
  budget.charge({ calls: 1 })
  assert.equal(budget.exhausted(), 'calls')
  assert.throws(() => budget.charge({ calls: 1 }), {
    name: 'UserFault',
    code: 'E_BUDGET',
    message: 'The budget of 2 calls of models is used up.',
    fields: { limit: 'calls', most: 2 },
  })
  assert.deepEqual(budget.spent(), { calls: 2, tokens: 400, seconds: 0, money: 0, pictures: 0 })
})

test('the last act may overshoot and the next one is refused', () => {
  const budget = createBudget({ tokens: 100 }, fakeClock())
  budget.record({ tokens: 90 })
  budget.charge({ tokens: 30 })
  assert.equal(budget.spent().tokens, 120)
  assert.throws(() => budget.charge({ tokens: 1 }), { code: 'E_BUDGET' })
  assert.equal(budget.spent().tokens, 120)
})

test('the seconds of a budget run by themselves, after those spent before', async () => {
  const clock = fakeClock()
  const budget = createBudget({ seconds: 10 }, clock, { spent: { seconds: 4 } })
  await clock.advance(5000)
  assert.equal(budget.spent().seconds, 9)
  await clock.advance(1000)
  assert.equal(budget.exhausted(), 'seconds')
})

test('a limit that is unknown or no number is refused', () => {
  assert.throws(() => createBudget({ call: 3 } as object, fakeClock()), { code: 'E_ARGUMENT' })
  assert.throws(() => createBudget({ calls: -1 }, fakeClock()), { code: 'E_ARGUMENT' })
})

test('a model with a budget is not asked when it is used up', async () => {
  const clock = fakeClock()
  const inner = scriptedModel([{ usage }, { usage }, { usage }])
  const budget = createBudget({ tokens: 150 }, clock)
  const model = withBudget(inner, budget, { clock })
  await model.generate(ask)
  await model.generate(ask)
  await assert.rejects(model.generate(ask), {
    code: 'E_BUDGET',
    fields: { limit: 'tokens', most: 150 },
  })
  assert.equal(inner.calls.length, 2)
  assert.equal(budget.spent().tokens, 200)
})

test('replies of a priced model cost money, streamed ones too', async () => {
  const clock = fakeClock()
  const budget = createBudget({ money: 1 }, clock)
  const prices = { 'scripted/*': { input: 1000, output: 2000 } }
  const model = withBudget(scriptedModel([{ usage }, { usage }]), budget, { clock, prices })
  assert.equal((await model.generate(ask)).usage.cost, 0.14)
  for await (const part of model.stream(ask)) {
    if (part.type === 'finish') assert.equal(part.reply.usage.cost, 0.14)
  }
  assert.equal(budget.spent().money, 0.28)
})

test('with a limit on money, a model without a price is refused before it is asked', async () => {
  const clock = fakeClock()
  const inner = scriptedModel(['x'])
  const model = withBudget(inner, createBudget({ money: 1 }, clock), { clock })
  await assert.rejects(model.generate(ask), { code: 'E_MODEL_PRICE', message: /scripted\/model/ })
  assert.equal(inner.calls.length, 0)
})

test('a call under way ends when the seconds of the budget do', async () => {
  const clock = fakeClock()
  const never = scriptedModel([() => new Promise<string>(() => {})])
  const model = withBudget(never, createBudget({ seconds: 3 }, clock), { clock })
  const reply = model.generate(ask)
  const refused = assert.rejects(reply, { code: 'E_BUDGET', fields: { limit: 'seconds', most: 3 } })
  await clock.advance(3000)
  await refused
})
