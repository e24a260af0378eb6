import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addPicture, newConversation } from '../agents/index.ts'
import type { Conversation } from '../agents/index.ts'
import { decodePicture, solidImage } from '../image/index.ts'
import { saveChat } from './chat-file.ts'
import { fakeOpenAiServer } from '../testing/index.ts'
import { makeInstructionData } from './dialogue-desk.ts'
import { DIALOGUE_TARGETS } from './dialogues.ts'

const COCO = {
  categories: [
    { id: 1, name: 'dog' },
    { id: 2, name: 'cup' },
    { id: 3, name: 'tree' },
  ],
  images: Array.from({ length: 12 }, (_, i) => ({
    ...{ id: i + 1, file_name: `${i + 1}.jpg`, width: 100, height: 80 },
  })),
  annotations: Array.from({ length: 12 }, (_, i) => [
    { id: 2 * i, image_id: i + 1, category_id: 1, bbox: [5, 5, 30, 30], iscrowd: 0 },
    { id: 2 * i + 1, image_id: i + 1, category_id: 2, bbox: [50, 20, 20, 30], iscrowd: 0 },
  ]).flat(),
}

test('instruction data of COCO annotations is written for every trainer, in both variants', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'dialogues-'))
  t.after(() => rm(folder, { recursive: true }))
  const instances = join(folder, 'instances.json')
  await writeFile(instances, JSON.stringify(COCO))
  const out = join(folder, 'out')
  const made = await makeInstructionData(
    {
      ...{ coco: { instances }, variants: ['fly', 'all-tools'], targets: DIALOGUE_TARGETS },
      ...{ folder: out, perPicture: 2, seed: 3 },
    },
    { cache: folder },
  )
  const [first, ...others] = Object.values(made.statistics)
  assert.ok((first?.dialogues ?? 0) > 20)
  assert.deepEqual(new Set(Object.keys(first?.byVariant ?? {})), new Set(['fly', 'all-tools']))
  for (const other of others) assert.equal(other.dialogues, first?.dialogues)
  for (const target of DIALOGUE_TARGETS) {
    const files = await readdir(join(out, target))
    assert.ok(files.includes('statistics.json') && files.includes('recipe.md'), target)
    assert.ok(
      files.some((file) => file.startsWith('train.')),
      target,
    )
  }
  const train = await readFile(join(out, 'llava', 'train.json'), 'utf8')
  assert.ok((JSON.parse(train) as unknown[]).length > 0)
})

test('the picture of a saved chat is written where its dialogues say', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'dialogues-'))
  t.after(() => rm(folder, { recursive: true }))
  const image = solidImage({ width: 8, height: 6 }, [9, 90, 200])
  const { conversation } = addPicture(newConversation('c1'), image)
  const answered: Conversation = {
    ...conversation,
    turns: [
      { role: 'user', text: 'What colour is this?', pictures: ['picture1'] },
      {
        role: 'assistant',
        thoughts: 'It is plain.',
        actions: [],
        value: 'Blue.',
        notes: [],
        run: 'r',
      },
    ],
  }
  const chat = join(folder, 'chat.json')
  await writeFile(chat, JSON.stringify(await saveChat(answered)))
  const out = join(folder, 'out')
  await makeInstructionData(
    { chats: [chat], variants: ['fly'], targets: ['llava'], folder: out },
    { cache: folder },
  )
  const rows: { image: string }[] = []
  for (const split of (await readdir(out)).filter((file) =>
    /^(train|val|test)\.json$/.test(file),
  )) {
    rows.push(...(JSON.parse(await readFile(join(out, split), 'utf8')) as { image: string }[]))
  }
  const [row] = rows
  const { image: again } = await decodePicture(await readFile(join(out, row?.image ?? '')))
  assert.equal(again.hash, image.hash)
})

test('without a source, or with one that is not there, it says what is missing', async () => {
  const request = { variants: ['fly'], targets: ['llava'], folder: '/nowhere' } as const
  await assert.rejects(makeInstructionData({ ...request, folder: tmpdir() }, { cache: '/' }), {
    code: 'E_ARGUMENT',
  })
  await assert.rejects(
    makeInstructionData(
      { ...request, folder: tmpdir(), coco: { instances: '/nowhere.json' } },
      { cache: '/' },
    ),
    { code: 'E_FILE' },
  )
})

test('a language model rewords questions once for all trainers, and what it wrote is counted', async (t) => {
  const server = await fakeOpenAiServer((request) => {
    const messages = request.body['messages'] as readonly { content: string }[]
    return { text: `Tell me: ${messages.at(-1)?.content ?? ''}` }
  })
  const folder = await mkdtemp(join(tmpdir(), 'dialogues-'))
  t.after(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })
  const instances = join(folder, 'instances.json')
  await writeFile(instances, JSON.stringify(COCO))
  const out = join(folder, 'out')
  const made = await makeInstructionData(
    {
      ...{ coco: { instances }, variants: ['fly'], targets: ['llava', 'llava-plus'], folder: out },
      writer: { model: 'openai-compatible/writer', questions: true, answers: false },
      perPicture: 1,
    },
    { cache: folder, providers: { 'openai-compatible': { baseURL: server.baseUrl } } },
  )
  const { reworded = 0, kept, answered } = made.written ?? {}
  assert.deepEqual([kept, answered], [{}, 0])
  assert.equal(reworded, server.requests.length)
  assert.equal(reworded, made.statistics['llava']?.dialogues)
  const train = await readFile(join(out, 'llava-plus', 'train.json'), 'utf8')
  assert.match(train, /<image>\\nTell me: /)
})
