import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { builder } from './builder.ts'
import { encodeMessage } from './encode.ts'
import type { Graph, Model } from './graph.ts'
import { graphOf, initializerOf, modelOf, nodeOf, valueInfo } from './graph.ts'
import { fromModel } from './model-message.ts'
import { openSession } from './open-session.ts'
import { readModel } from './read-model.ts'
import { saveModel } from './save-model.ts'
import { fromTensor, fromTensorOutside } from './tensor-message.ts'
import { tensorArray, tensorBytes } from './tensor.ts'
import { writeLean, writeModel } from './write-model.ts'

const root = await mkdtemp(join(tmpdir(), 'pupil-files-'))
after(() => rm(root, { recursive: true }))
const folder = async (name: string): Promise<string> => {
  const path = join(root, name)
  await mkdir(path, { recursive: true })
  return path
}

const weights = Float32Array.from({ length: 600 }, (_, i) => Math.sin(i))

function product(): Model {
  const g = builder({ opset: 17 })
  const x = g.input('x', 'float32', [1, 20])
  const w = g.add({ ...initial(), name: 'w' })
  g.op('MatMul', [x, w], {}, { outputs: ['y'] })
  g.output('y', 'float32', [1, 30])
  return modelOf(g.graph())
}
const initial = (): NonNullable<ReturnType<typeof initializerOf>> => {
  const g = builder({ opset: 17 })
  g.constant(weights, [20, 30])
  const [tensor] = g.graph().initializers
  return tensor!
}

/** A model whose only weight is said to lie somewhere. */
function pointing(file: string, offset = 0, length = 2400): Uint8Array {
  return encodeMessage(
    'Model',
    fromModel(product(), (tensor) =>
      tensor.name === 'w'
        ? fromTensorOutside(tensor, { file, offset, length })
        : fromTensor(tensor),
    ),
  )
}

const weightBytes = new Uint8Array(weights.buffer)
const feeds = { x: { type: 'float32', dims: [1, 20], data: new Float32Array(20).fill(1) } } as const

async function result(model: Model | string): Promise<readonly number[]> {
  await using session = await openSession(model, { thread: 'here' })
  const { y } = await session.run(feeds)
  return Array.from(y?.data as Float32Array)
}

describe('weights in files', () => {
  test('a file and its bytes read the same, and large weights stay in the file', async () => {
    const path = join(await folder('same'), 'model.onnx')
    const bytes = writeModel(product())
    await writeFile(path, bytes)
    const model = readModel(path)
    const tensor = initializerOf(model.graph, 'w')
    assert.equal(tensor?.storage.kind, 'file')
    assert.deepEqual(tensorArray(tensor!), weights)
    assert.deepEqual(writeModel(model), bytes)
    const viewed = readModel(bytes, { file: path })
    const inMemory = initializerOf(viewed.graph, 'w')
    assert.equal(inMemory?.storage.kind, 'bytes')
    assert.equal(tensorBytes(inMemory!).buffer, bytes.buffer, 'a view, no copy')
    const lean = writeLean(viewed)
    assert.equal(lean.folder, writeLean(model).folder)
    assert.deepEqual(lean.bytes, writeLean(model).bytes)
    assert.deepEqual(await result(path), await result(product()))
  })

  test('external weights are found beside the model and run from there', async () => {
    const home = await folder('beside')
    await writeFile(join(home, 'weights.bin'), Buffer.concat([Buffer.alloc(33), weightBytes]))
    await writeFile(join(home, 'model.onnx'), pointing('weights.bin', 33))
    const model = readModel(join(home, 'model.onnx'))
    assert.deepEqual(tensorArray(initializerOf(model.graph, 'w')!), weights)
    assert.deepEqual(await result(model), await result(product()))
    const named = readModel(pointing('weights.bin', 33), { folder: home })
    assert.deepEqual(await result(named), await result(product()))
  })

  test('a Hugging Face cache is followed through its links into the blobs', async () => {
    const cache = await folder('models--a--b')
    const blobs = await folder('models--a--b/blobs')
    const snapshot = await folder('models--a--b/snapshots/123/onnx')
    await writeFile(join(blobs, 'aaa'), pointing('model.onnx_data'))
    await writeFile(join(blobs, 'bbb'), weightBytes)
    await symlink(join(blobs, 'aaa'), join(snapshot, 'model.onnx'))
    await symlink(join(blobs, 'bbb'), join(snapshot, 'model.onnx_data'))
    assert.deepEqual(await result(join(snapshot, 'model.onnx')), await result(product()))
    assert.ok(cache.length > 0)
  })

  test('weights of two files in different folders run together', async () => {
    const [left, right] = [await folder('two/left'), await folder('two/right')]
    await saveModel(product(), join(left, 'a.onnx'))
    await saveModel(product(), join(right, 'b.onnx'))
    const [a, b] = [readModel(join(left, 'a.onnx')), readModel(join(right, 'b.onnx'))]
    const g = builder(a.graph)
    const other = initializerOf(b.graph, 'w')!
    const v = g.add({ ...other, name: 'v' })
    g.output(g.op('MatMul', ['x', v], {}, { outputs: ['z'] }), 'float32', [1, 30])
    const both = modelOf(g.graph())
    assert.ok(writeLean(both).bytes.length < 700)
    await using session = await openSession(both, { thread: 'here' })
    const { y, z } = await session.run(feeds)
    assert.deepEqual(y?.data, z?.data)
  })

  test('weights inside a subgraph stay in the file too', async () => {
    const branch = (op: string): Graph =>
      graphOf({
        initializers: [{ ...initial(), name: 'inner_w' }],
        nodes: [nodeOf('MatMul', ['x', 'inner_w'], ['p']), nodeOf(op, ['p'], ['q'])],
        outputs: [valueInfo('q', 'float32')],
      })
    const g = builder({ opset: 17 })
    g.input('x', 'float32', [1, 20])
    const flag = g.constant([1], [], 'bool')
    g.op(
      'If',
      [flag],
      { then_branch: branch('Neg'), else_branch: branch('Abs') },
      { outputs: ['y'] },
    )
    g.output('y', 'float32', [1, 30])
    const path = join(await folder('subgraph'), 'model.onnx')
    await saveModel(modelOf(g.graph()), path)
    assert.ok(writeLean(readModel(path)).bytes.length < 1000)
    const plain = await result(product())
    assert.deepEqual(
      await result(path),
      plain.map((value) => -value),
    )
  })

  const outside = [
    '/etc/passwd',
    '../weights.bin',
    'a/../../weights.bin',
    '..\\weights.bin',
    '',
    'x\0y',
  ]
  for (const location of outside) {
    test(`the location ${JSON.stringify(location)} is refused`, async () => {
      const home = await folder('outside/inner')
      assert.throws(() => readModel(pointing(location), { folder: home }), {
        code: 'E_ONNX_OUTSIDE',
        message: /The weights "w" are said to lie in .*, outside the model's folder/,
      })
    })
  }

  test('a link that leaves the folder is refused', async () => {
    const home = await folder('linked')
    await writeFile(join(root, 'elsewhere.bin'), weightBytes)
    await symlink(join(root, 'elsewhere.bin'), join(home, 'weights.bin'))
    assert.throws(() => readModel(pointing('weights.bin'), { folder: home }), {
      code: 'E_ONNX_OUTSIDE',
    })
  })

  test('a missing file, a range outside it and a wrong length name the tensor', async () => {
    const home = await folder('wrong')
    const read = (bytes: Uint8Array) => (): unknown => readModel(bytes, { folder: home })
    assert.throws(read(pointing('none.bin')), {
      code: 'E_ONNX_MISSING',
      message: /"w" lie in none\.bin/,
    })
    await writeFile(join(home, 'weights.bin'), weightBytes)
    assert.throws(read(pointing('weights.bin', 1)), {
      code: 'E_ONNX_TENSOR',
      message: 'The tensor "w" lies at 1+2400 of weights.bin, which has 2400 bytes.',
    })
    assert.throws(
      read(pointing('weights.bin', 0, 2396)),
      /"w" needs 2400 bytes .* but 2396 are given/,
    )
    assert.throws(read(pointing('weights.bin', -4)), /has the offset "-4"/)
    assert.throws(read(pointing('weights.bin', 0, 1e300)), /has the length/)
    assert.throws(() => readModel(pointing('weights.bin')), /came without a folder/)
    await mkdir(join(home, 'weights'))
    assert.throws(read(pointing('weights')), { code: 'E_ONNX_MISSING' })
  })

  test('a file that vanished after reading is told when its weights are needed', async () => {
    const path = join(await folder('gone'), 'model.onnx')
    await saveModel(product(), path)
    const model = readModel(path)
    await truncate(path, 900)
    assert.throws(() => writeModel(model), {
      code: 'E_ONNX_WEIGHTS',
      message: /"w" cannot be read/,
    })
  })
})

describe('saveModel', () => {
  test('writes weights inside or beside, and both run and read back', async () => {
    const home = await folder('saved')
    for (const weightsIn of ['inside', 'beside'] as const) {
      const path = join(home, `${weightsIn}.onnx`)
      await saveModel(product(), path, { weights: weightsIn })
      assert.equal(existsSync(`${path}_data`), weightsIn === 'beside')
      assert.deepEqual(tensorArray(initializerOf(readModel(path).graph, 'w')!), weights)
      assert.deepEqual(await result(path), await result(product()))
    }
    assert.ok(statSync(join(home, 'beside.onnx')).size < 700)
    assert.equal((await readdir(home)).filter((name) => name.endsWith('.part')).length, 0)
  })

  test('can write over the file that its weights come from', async () => {
    const path = join(await folder('over'), 'model.onnx')
    await saveModel(product(), path, { weights: 'beside' })
    await saveModel(readModel(path), path, { weights: 'beside' })
    assert.deepEqual(await result(path), await result(product()))
  })

  test('leaves nothing behind when it is cancelled or cannot write', async () => {
    const home = await folder('cancelled')
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await assert.rejects(saveModel(product(), join(home, 'm.onnx'), { signal }), reason)
    await assert.rejects(saveModel(product(), join(home, 'no', 'm.onnx')), {
      code: 'E_ONNX_WEIGHTS',
    })
    assert.deepEqual(await readdir(home), [])
  })

  test('replaces no folder and no device, also not through a link', async () => {
    const home = await folder('targets')
    await mkdir(join(home, 'folder.onnx'))
    await symlink('/dev/null', join(home, 'device.onnx'))
    for (const name of ['folder.onnx', 'device.onnx']) {
      for (const weightsIn of ['inside', 'beside'] as const) {
        await assert.rejects(saveModel(product(), join(home, name), { weights: weightsIn }), {
          code: 'E_ONNX_TARGET',
          message: `${join(home, name)} is no plain file.`,
        })
      }
    }
    assert.ok(statSync(join(home, 'folder.onnx')).isDirectory())
    assert.ok(statSync(join(home, 'device.onnx')).isCharacterDevice())
    assert.deepEqual((await readdir(home)).toSorted(), ['device.onnx', 'folder.onnx'])
  })
})

test('a model whose weights lie beyond two gigabytes is read without reading them', async () => {
  const home = await folder('huge')
  const far = 5 * 2 ** 30
  // A sparse file: it takes no space.
  const file = await open(join(home, 'huge.bin'), 'w')
  await file.write(weightBytes, 0, 2400, far)
  await file.close()
  await writeFile(join(home, 'model.onnx'), pointing('huge.bin', far))
  assert.deepEqual(await result(join(home, 'model.onnx')), await result(product()))
})
