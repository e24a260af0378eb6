import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { isFault } from '../base/index.ts'
import { builder } from './builder.ts'
import { operatorCounts } from './describe-model.ts'
import type { Model } from './graph.ts'
import { modelOf } from './graph.ts'
import { openSession } from './open-session.ts'
import { readModel } from './read-model.ts'
import { saveModel } from './save-model.ts'
import type { SessionOptions } from './session-options.ts'
import { runtimeOptions } from './session-options.ts'

const folder = await mkdtemp(join(tmpdir(), 'pupil-options-'))
after(() => rm(folder, { recursive: true }))

/** x · wᵀ + b, then Gelu written out: something to fold and something to fuse. */
function sample(size = 8): Model {
  const g = builder({ opset: 17 })
  const x = g.input('x', 'float32', [size, size])
  const w = g.constant(
    Float32Array.from({ length: size * size }, (_, i) => i % 5),
    [size, size],
  )
  const h = g.op('Add', [
    g.op('MatMul', [x, g.transpose(w, [1, 0])]),
    g.constant(new Float32Array(size)),
  ])
  const erf = g.op('Erf', [g.op('Div', [h, g.scalar(Math.SQRT2)])])
  const gelu = g.op('Mul', [g.op('Mul', [h, g.op('Add', [erf, g.scalar(1)])]), g.scalar(0.5)])
  g.output(gelu, 'float32')
  return modelOf(g.graph())
}

let files = 0

/** The operators that are left after the runtime rewrote the sample. */
async function operators(options: SessionOptions): Promise<string[]> {
  const optimizedFile = join(folder, `${files++}.onnx`)
  await using session = await openSession(sample(), { ...options, thread: 'here', optimizedFile })
  assert.equal(session.inputs.length, 1)
  return operatorCounts(readModel(await readFile(optimizedFile)).graph).map(({ op }) => op)
}

describe('each option has its effect:', () => {
  test('level and without', async () => {
    assert.ok((await operators({ level: 'disabled' })).includes('Erf'), 'nothing is rewritten')
    assert.ok(!(await operators({ level: 'all' })).includes('Erf'), 'Gelu is fused')
    const kept = await operators({ level: 'all', without: ['GeluFusionL2'] })
    assert.ok(kept.includes('Erf'), 'unless its optimiser is left out')
  })

  test('presets fold constants for inference and do not for training', async () => {
    const transposed = (ops: string[]): boolean =>
      ops.some((op) => /Transpose|FusedMatMul|Gemm/.test(op))
    const unfused: SessionOptions = { level: 'basic', without: ['MatMulAddFusion'] }
    assert.equal(transposed(await operators({ ...unfused, preset: 'inference' })), false)
    assert.equal(transposed(await operators({ ...unfused, preset: 'training' })), true)
    assert.equal(transposed(await operators({ ...unfused, preset: 'small-memory' })), true)
  })

  const onLinux = process.platform === 'linux' ? {} : { skip: 'threads are counted in /proc' }
  test('threads', onLinux, async () => {
    const threads = (): number => readdirSync('/proc/self/task').length
    const before = threads()
    await using one = await openSession(sample(), { thread: 'here', threads: 1 })
    const single = threads() - before
    await using many = await openSession(sample(), { thread: 'here', threads: 5 })
    assert.equal(threads() - before - single, single + 4)
    assert.ok(one.inputs.length === many.inputs.length)
  })

  test('small memory keeps no second copy of the weights', onLinux, async () => {
    const path = join(folder, 'large.onnx')
    await saveModel(sample(2048), path)
    const grown = async (preset: string): Promise<number> => {
      const script = `
        const { openSession } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
        const { readFileSync } = await import('node:fs')
        const anonymous = () => Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
        const small = await openSession(${JSON.stringify(path)}, { thread: 'here', preset: 'small-memory' })
        await small.close()
        const before = anonymous()
        const session = await openSession(${JSON.stringify(path)}, { thread: 'here', preset: ${JSON.stringify(preset)} })
        console.log(anonymous() - before)
        await session.close()`
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '-e',
        script,
      ])
      return Number(stdout) / 1024
    }
    // The weight has 16 MB.
    const [small, fast] = [await grown('small-memory'), await grown('fast')]
    assert.ok(small < 8, `small-memory grew by ${small} MB`)
    assert.ok(fast > 12, `fast grew by ${fast} MB`)
  })

  test('a provider that does not work here is an error, never another provider', async () => {
    try {
      await using session = await openSession(sample(), { thread: 'here', provider: 'cuda' })
      assert.ok(session.inputs.length > 0, 'it works here')
    } catch (error) {
      assert.ok(isFault(error))
      assert.equal(error.code, 'E_ONNX_PROVIDER')
      assert.match(error.message, /provider cuda does not work here/)
    }
  })
})

test('what the runtime is given: text below extra, no memory patterns, no spinning', () => {
  const { extra, ...options } = runtimeOptions({ preset: 'small-memory', threads: 3 }, 'the-folder')
  assert.deepEqual(extra, {
    session: {
      intra_op: { allow_spinning: '0' },
      disable_prepacking: '1',
      model_external_initializers_file_folder_path: 'the-folder',
    },
    optimization: { disable_specified_optimizers: 'ConstantFolding' },
  })
  assert.equal(options.enableMemPattern, false)
  assert.equal(options.executionMode, 'sequential')
  assert.equal(options.intraOpNumThreads, 3)
})

test('options that are not known are refused', () => {
  const preset = 'quick' as 'fast'
  assert.throws(() => runtimeOptions({ preset }, undefined), {
    message: /one of inference, fast, training, small-memory for preset but got "quick"/,
  })
  assert.throws(() => runtimeOptions({ threads: 0 }, undefined), /from 1 to 1024 for threads/)
})
