import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserFault } from '../base/index.ts'
import { solidImage } from '../image/index.ts'
import { NO_BACKENDS } from './backends.ts'
import type { Detector } from './backends.ts'
import { EMOJI_ALIASES } from './emoji-aliases.ts'
import { EMOJI_NAMES } from './emoji-names.ts'
import { scriptedDetector, testContext } from './scripted.ts'
import { SIGNATURES } from './signatures.ts'
import { emojiArt } from './sources/emoji-art.ts'
import { createToolbox } from './toolbox.ts'
import type { Tool } from './tool.ts'

const toolbox = createToolbox({ backends: NO_BACKENDS })

test('every signature has a tool, in the same order', () => {
  assert.deepEqual(
    toolbox.signatures.map((one) => one.name),
    SIGNATURES.map((one) => one.name),
  )
})

test('the paper’s fifteen tools, TAG, OCR and CAPTION are there; six of them learn', () => {
  const names = SIGNATURES.map((one) => one.name)
  const wanted =
    'LOC COUNT CROP CROP_LEFTOF CROP_RIGHTOF CROP_ABOVE CROP_BELOW CROP_FRONTOF CROP_INFRONT CROP_INFRONTOF CROP_AHEAD CROP_BEHIND FACEDET SEG SELECT CLASSIFY VQA REPLACE LIST EVAL RESULT COLORPOP BGBLUR EMOJI TAG OCR CAPTION'
  assert.deepEqual(names.toSorted(), wanted.split(' ').toSorted())
  const learnable = SIGNATURES.filter((one) => one.learnable).map((one) => one.name)
  assert.deepEqual(learnable.toSorted(), ['CLASSIFY', 'LOC', 'REPLACE', 'SEG', 'SELECT', 'VQA'])
})

test('families offer the tools of their table', () => {
  const offered = (family: string): string[] =>
    SIGNATURES.filter((one) => one.families.includes(family))
      .map((one) => one.name)
      .toSorted()
  assert.deepEqual(offered('nlvr'), ['EVAL', 'RESULT', 'VQA'])
  assert.deepEqual(offered('tagging'), ['CLASSIFY', 'FACEDET', 'LIST', 'LOC', 'RESULT', 'TAG'])
  assert.deepEqual(
    offered('imgedit'),
    'BGBLUR COLORPOP EMOJI FACEDET REPLACE RESULT SEG SELECT'.split(' '),
  )
})

test('values pass through EVAL and RESULT, and missing arguments take their defaults', async () => {
  const context = testContext()
  assert.equal((await toolbox.call('EVAL', { expr: 'yes' }, context)).value, 'yes')
  assert.equal((await toolbox.call('RESULT', { var: 3 }, context)).value, 3)
  assert.equal((await toolbox.call('COUNT', { box: [1, 2] }, context)).value, 2)
  let seen: unknown
  const spy: Tool = {
    signature: SIGNATURES.find((one) => one.name === 'LIST') as Tool['signature'],
    run: async (args) => {
      seen = args
      return { value: null }
    },
  }
  await createToolbox({ backends: NO_BACKENDS, extra: [spy] }).call('LIST', { query: 'x' }, context)
  assert.deepEqual(seen, { query: 'x', max: 20 })
})

test('an unknown tool and a wrong argument are told', async () => {
  await assert.rejects(toolbox.call('LOCC', {}, testContext()), {
    code: 'T_UNKNOWN_TOOL',
    cure: /^Did you mean LOC/,
  })
  await assert.rejects(toolbox.call('COUNT', { box: 'three' }, testContext()), {
    code: 'T_INPUT',
    message: 'Expected a list for box but got "three" (text).',
  })
})

test('a model that fails is the back end’s failure, with its reason', async () => {
  const detector: Detector = {
    ...scriptedDetector({}),
    detect: async () => {
      throw new UserFault('E_ONNX_RUN', 'The model does not run.', { cure: 'Try again.' })
    },
  }
  const failing = createToolbox({ backends: { ...NO_BACKENDS, detectors: [detector] } })
  const image = solidImage({ width: 4, height: 4 }, [1, 2, 3])
  await assert.rejects(failing.call('LOC', { image, object: 'dog' }, testContext()), {
    kind: 'Unavailable',
    code: 'T_BACKEND',
    message: 'The model behind LOC failed: The model does not run.',
    cure: 'Try again.',
  })
})

test('an aborted call does not start', async () => {
  const signal = AbortSignal.abort()
  await assert.rejects(toolbox.call('COUNT', { box: [] }, testContext({ signal })), {
    name: 'AbortError',
  })
})

test('every emoji that is offered can be drawn', async () => {
  const art = emojiArt()
  for (const name of [...EMOJI_NAMES, ...Object.values(EMOJI_ALIASES)]) {
    assert.match(await art(name), /^<svg .*<\/svg>$/s, name)
  }
})
