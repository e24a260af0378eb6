import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../base/index.ts'
import { isList, pythonJson, readPython, writeTurn } from '../../tools/index.ts'
import { scriptedModel } from '../../llm/index.ts'
import { golden } from '../../tools/models/remote/golden.cases.ts'
import { dialogueFaults, dialoguesFromChat, makeDialogues, modelWriter, readCoco } from './index.ts'
import {
  readVisualGenome,
  splitOf,
  TARGETS,
  templateAnswer,
  trainingRecipe,
  trainingText,
  writeCorpus,
} from './index.ts'
import { unsupported } from './support.ts'
import type { AnnotatedPicture, Dialogue, DialogueTurn, TargetName } from './index.ts'

const CATEGORIES = 'dog cat car person traffic-light umbrella chair bottle'
  .split(' ')
  .map((one) => one.replace('-', ' '))

/** Pictures with random things in them, as many as wanted. */
function* pictures(count: number, seed = 5): Generator<AnnotatedPicture> {
  const random = seededRandom(seed)
  for (let i = 0; i < count; i++) {
    const objects = Array.from({ length: 1 + random.below(5) }, () => {
      const [x, y] = [random.below(500), random.below(300)]
      return {
        category: CATEGORIES[random.below(CATEGORIES.length)] ?? '',
        box: [x, y, x + 20 + random.below(100), y + 20 + random.below(100)] as const,
      }
    })
    const present = new Set(objects.map(({ category }) => category))
    yield {
      ...{ id: `p${i}`, file: `pictures/${i}.jpg`, width: 640, height: 480, objects },
      captions: [`a ${objects[0]?.category ?? ''} in the "street", №${i}`],
      texts: i % 3 === 0 ? [{ text: `It's ${i}`, box: [1, 2, 30, 40] }] : [],
      absent: CATEGORIES.filter((one) => !present.has(one)),
    }
  }
}

const made = async (count: number, options: object = {}): Promise<Dialogue[]> => {
  const all: Dialogue[] = []
  const given = { random: seededRandom(1), ...options }
  for await (const one of makeDialogues(pictures(count), given)) all.push(one)
  return all
}

test('the golden sample gives the golden training text, and its learnt spans', () => {
  const { sample, text, learned } = golden.training_text
  const turns = sample.map((turn): DialogueTurn => {
    const value = String(turn['value'])
    if (turn['from'] === 'human') return { from: 'human', value }
    const actions = readPython(JSON.stringify(turn['actions']))
    assert.ok(isList(actions))
    return { from: 'gpt', thoughts: String(turn['thoughts']), actions, value }
  })
  const made = trainingText({ turns })
  assert.equal(made.text, text)
  assert.deepEqual(
    made.learned.map(({ start, end }) => made.text.slice(start, end)),
    learned,
  )
})

/** All fields of a dialogue with the spelling of numbers: quicker to compare than the values. */
const textOf = (dialogue: Dialogue): string => pythonJson(TARGETS['llava-plus'].write(dialogue))

test('10,000 dialogues come back from every export, and loss lies on assistant text only', async () => {
  const targets = Object.entries(TARGETS) as [TargetName, (typeof TARGETS)[TargetName]][]
  let count = 0
  for await (const dialogue of makeDialogues(pictures(2_500), { random: seededRandom(2) })) {
    count++
    const whole = textOf(dialogue)
    for (const [name, { write, read }] of targets) {
      const back = read(readPython(pythonJson(write(dialogue))))
      assert.equal(textOf(back), whole, `${name} ${dialogue.id}`)
    }
    const { text, learned } = trainingText(dialogue)
    const spoken = dialogue.turns.flatMap((turn) =>
      turn.from === 'gpt'
        ? [
            `${writeTurn({ thoughts: turn.thoughts, actions: turn.actions, value: turn.value })}</s>`,
          ]
        : [],
    )
    assert.deepEqual(
      learned.map(({ start, end }) => text.slice(start, end)),
      spoken,
    )
  }
  assert.ok(count >= 9_900 && count <= 10_000, String(count))
})

test('made dialogues follow the form: question, call, result, answer', async () => {
  const all = await made(20)
  const skills = new Set(all.map(({ skill }) => skill))
  assert.ok(skills.size >= 10, [...skills].join())
  for (const { turns } of all) {
    assert.deepEqual(
      turns.map(({ from }) => from),
      ['human', 'gpt', 'human', 'gpt'],
    )
    assert.match(turns[0]?.value ?? '', /^<image>\n\S/)
    assert.match(turns[2]?.value ?? '', /model outputs: \{.*\n\nPlease summarize/s)
  }
})

test('All Tools has every result before the question, and calls nothing', async () => {
  const [one] = await made(1, { variant: 'all-tools', perPicture: 1 })
  assert.equal(one?.turns.length, 2)
  const text = one?.turns[0]?.value ?? ''
  const order = ['blip2', 'ram', 'ram+grounding_dino', 'ocr'].map((name) =>
    text.indexOf(`\n${name} model outputs`),
  )
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
  assert.ok(
    order.every((at) => at >= 0),
    text,
  )
})

test('several questions over one picture have the picture once', async () => {
  const [one] = await made(1, { rounds: 3, perPicture: 1 })
  assert.equal(one?.turns.length, 12)
  assert.deepEqual(dialogueFaults(one ?? fail()), [])
})

const fail = (): never => assert.fail('no dialogue')

test('an answer that the result contradicts is dropped and told', async () => {
  const dropped: string[] = []
  const options = {
    answer: async () => 'There are 17 dogs in the picture.',
    onDropped: (_: string, faults: readonly string[]) => void dropped.push(...faults),
  }
  const all = await made(30, options)
  assert.ok(dropped.some((fault) => fault.includes('"There are 17 dogs" is not in the result')))
  assert.ok(all.every(({ turns }) => !/'phrases'/.test(turns[2]?.value ?? '')))
})

test('faults are named with their turn', async () => {
  const [good] = await made(1)
  assert.ok(good !== undefined)
  const human = { from: 'human', value: 'x' } as const
  const rows: readonly (readonly [readonly DialogueTurn[], RegExp])[] = [
    [[human], /1 turns are no pairs/],
    [[human, human], /turn 2: human is out of turn/],
    [[{ from: 'human', value: '<image>\na ### b' }, ...good.turns.slice(1)], /turn 1: holds "###"/],
    [
      [...good.turns.slice(0, 2), { from: 'human', value: '<image>' }, ...good.turns.slice(3)],
      /turn 3: 1 <image> where 0/,
    ],
    [
      [{ from: 'human', value: `<image>\n${'long '.repeat(3000)}` }, ...good.turns.slice(1)],
      /tokens are more than 2048/,
    ],
  ]
  for (const [turns, message] of rows) {
    assert.match(dialogueFaults({ ...good, turns }).join('\n'), message)
  }
})

test('a corpus is written split by picture, valid JSON, with its statistics', async () => {
  const files = new Map<string, string>()
  const sink = async (file: string, text: string): Promise<void> =>
    void files.set(file, (files.get(file) ?? '') + text)
  const statistics = await writeCorpus(await made(40), 'llava-plus', sink)
  const rows = [...files.values()].flatMap((text) => JSON.parse(text) as { image: string }[])
  assert.equal(rows.length, statistics.dialogues)
  assert.deepEqual(
    Object.values(statistics.bySplit).reduce((a, b) => a + b),
    statistics.dialogues,
  )
  assert.ok(statistics.learnedLetters > 0 && statistics.learnedLetters < statistics.letters)
  const splits = new Map<string, string>()
  for (const [file, text] of files) {
    for (const { image } of JSON.parse(text) as { image: string }[]) {
      assert.equal(splits.get(image) ?? file, file)
      splits.set(image, file)
    }
  }
  assert.equal(splitOf({ image: 'a.jpg', id: '1' }), splitOf({ image: 'a.jpg', id: '2' }))
  assert.match(trainingRecipe('llava-plus'), /learningRate \| 0\.00002/)
})

test('COCO, LVIS and Visual Genome annotations are read', () => {
  const coco = {
    images: [{ id: 9, file_name: 'a.jpg', width: 100, height: 50 }],
    annotations: [{ id: 1, image_id: 9, category_id: 2, bbox: [10, 5, 20, 20] }],
    categories: [
      { id: 2, name: 'dog' },
      { id: 3, name: 'cat' },
    ],
  }
  const captions = { annotations: [{ image_id: 9, caption: 'A dog. ' }] }
  const [picture] = [...readCoco(coco, captions)]
  assert.deepEqual(picture?.objects, [{ category: 'dog', box: [10, 5, 30, 25] }])
  assert.deepEqual([picture?.captions, picture?.absent], [['A dog.'], ['cat']])
  const lvis = {
    ...coco,
    images: [
      {
        id: 9,
        coco_url: 'http://images/train2017/9.jpg',
        width: 1,
        height: 1,
        neg_category_ids: [3],
      },
    ],
    categories: [
      { id: 2, name: 'alarm_clock' },
      { id: 3, name: 'bow_(weapon)' },
    ],
  }
  const [large] = [...readCoco(lvis)]
  assert.deepEqual(
    [large?.file, large?.objects[0]?.category, large?.absent],
    ['train2017/9.jpg', 'alarm clock', ['bow']],
  )
  const objects = [{ image_id: 1, objects: [{ names: ['tree'], x: 1, y: 2, w: 3, h: 4 }] }]
  const [genome] = [
    ...readVisualGenome(objects, [{ image_id: 1, width: 10, height: 10, url: 'x/VG_100K/1.jpg' }]),
  ]
  assert.deepEqual(genome?.objects, [{ category: 'tree', box: [1, 2, 4, 6] }])
  assert.throws(
    () => [...readCoco({ ...coco, annotations: [{ image_id: 9, bbox: 'x', id: 1 }] })],
    /bbox of annotation 1/,
  )
})

test('a recorded chat becomes dialogues; a corrected call ends where it was corrected', () => {
  const call = '[{"API_name": "ram", "API_params": {}}]'
  const right = '[{"API_name": "ocr", "API_params": {}}]'
  const spoken = (actions: string, value: string) => ({
    role: 'assistant' as const,
    thoughts: 't',
    actions,
    value,
  })
  const turns = [
    { role: 'user' as const, text: 'Read it' },
    { ...spoken(call, 'w'), corrected: { actions: right } },
    { role: 'results' as const, text: "ram model outputs: {'tags': 'a'}" },
    spoken('[]', 'a'),
    { role: 'user' as const, text: 'Hello' },
    spoken('[]', 'Hi.'),
  ]
  const [first, second] = dialoguesFromChat({ id: 'c', image: 'a.jpg', turns })
  assert.deepEqual([first?.source, first?.skill, first?.turns.length], ['correction', 'ocr', 2])
  assert.deepEqual([second?.source, second?.variant], ['run', 'plain'])
})

/** A model that follows a rule: what it is asked is data, so the test sees all of it. */
const writerOf = (write: (system: string, user: string) => string) =>
  modelWriter(
    scriptedModel([
      {
        when: () => true,
        reply: (request) => {
          const [system = '', user = ''] = request.messages.map(({ content }) => String(content))
          return write(system, user)
        },
      },
    ]),
  )

test('a model rewords questions, which keep their things, and every trainer gets the same wordings', async () => {
  let calls = 0
  const writer = writerOf((_, question) => {
    calls++
    if (/cats?\b/i.test(question)) return 'What is going on here?'
    return `I wonder: ${question}`
  })
  const { rewrite } = writer.pass()
  const all = await made(30, { rewrite })
  const questions = all.map(({ turns }) => (turns[0]?.value ?? '').replace('<image>\n', ''))
  assert.ok(questions.some((one) => one.startsWith('I wonder: ')))
  assert.ok(!questions.includes('What is going on here?'))
  const { reworded, kept } = writer.counts()
  assert.ok((kept['the wording does not name what was asked about'] ?? 0) > 0)
  assert.equal(reworded, questions.filter((one) => one.startsWith('I wonder: ')).length)
  const before = calls
  const again = await made(30, { rewrite: writer.pass().rewrite })
  assert.deepEqual(again, all)
  assert.equal(calls, before)
})

test('answers by a model are asked again once and dropped when the result does not bear them out', async () => {
  const good = writerOf((_, user) => {
    const phrases = /'phrases': \[([^\]]*)\]/.exec(user)?.[1] ?? ''
    const found = phrases === '' ? 0 : phrases.split(',').length
    const things = CATEGORIES.filter((one) => user.split('\n')[0]?.includes(one)).join(' and ')
    const texts = [...user.matchAll(/"(It's \d+)"/g)].map(([, one]) => one).join(' ')
    const told = /'(?:caption|tags)': (['"])(.*)\1/.exec(user)?.[2] ?? ''
    const none = found === 0 ? 'Nothing was found of ' : 'I see '
    if (user.includes("'phrases'")) return `${none}${things}.`
    return `${told} ${texts} done`.trim()
  })
  const all = await made(20, { answer: good.pass().answer })
  assert.ok(all.length > 60, String(all.length))
  let asked = 0
  const bad = writerOf(() => {
    asked++
    return 'There are seventeen of them, or 17.'
  })
  const faults: string[] = []
  const none = await made(10, {
    answer: bad.pass().answer,
    onDropped: (_: string, told: readonly string[]) => void faults.push(...told),
  })
  assert.deepEqual(none, [])
  assert.ok(faults.some((one) => one === 'the number 17 is not in the result'))
  assert.ok(asked > bad.counts().answered)
})

test('what templates say is borne out by their results', async () => {
  const bare = new Set<string>()
  for await (const one of makeDialogues(pictures(200), {
    random: seededRandom(4),
    answer: async (facts) => {
      for (const fault of unsupported(facts, templateAnswer(facts)))
        bare.add(`${facts.wants}: ${fault}`)
      return templateAnswer(facts)
    },
  })) {
    assert.equal(one.source, 'annotation')
  }
  assert.deepEqual([...bare], [])
})
