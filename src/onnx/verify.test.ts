import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attributesOf } from './attribute.ts'
import type { Graph } from './graph.ts'
import { graphOf, modelOf, nodeOf, valueInfo } from './graph.ts'
import type { Message } from './message.ts'
import { operatorForm } from './operators.ts'
import { tensorOf } from './tensor.ts'
import { checkModel, problemsOf, shapeProblemsOf, verify } from './verify.ts'

const x = valueInfo('x', 'float32', [2, 3])
const y = valueInfo('y', 'float32', [2, 3])
const relu = nodeOf('Relu', ['x'], ['y'])

const graph = (parts: Partial<Graph>): Graph =>
  graphOf({ inputs: [x], nodes: [relu], outputs: [y], ...parts })

describe('verify', () => {
  test('gives a sound graph back as it is', () => {
    const sound = graph({})
    assert.equal(verify(sound), sound)
  })

  const branch = (nodes: Graph['nodes'], output: string): Graph =>
    graphOf({ nodes, outputs: [valueInfo(output)] })
  const flag = tensorOf('c', 'bool', [1], [])

  const wrong: Readonly<Record<string, readonly [Partial<Graph>, string]>> = {
    'a value defined twice': [
      { nodes: [nodeOf('Neg', ['x'], ['y'], { name: 'n' }), relu] },
      'the value "y" is defined twice, by Neg#0 "n" and Relu#1 -> "y"',
    ],
    'an initialiser that is an input too': [
      { initializers: [tensorOf('x', 'float32', [1])] },
      'the value "x" is defined twice, by an input and an initialiser',
    ],
    'a value read before it is made': [
      { nodes: [nodeOf('Neg', ['h'], ['y']), nodeOf('Relu', ['x'], ['h'])] },
      'Neg#0 -> "y" reads "h" before Relu#1 -> "h" makes it',
    ],
    'a node that reads itself': [
      { nodes: [nodeOf('Add', ['x', 'y'], ['y'])] },
      'Add#0 -> "y" and Add#0 -> "y" depend on each other: the graph has a cycle through "y"',
    ],
    'a value that nothing defines': [
      { nodes: [nodeOf('Add', ['x', 'w'], ['y'])] },
      'Add#0 -> "y" reads "w", which nothing defines',
    ],
    'an output that nothing makes': [
      { outputs: [y, valueInfo('z')] },
      'nothing makes the output "z"',
    ],
    'no outputs': [{ outputs: [] }, 'the graph has no outputs'],
    'a misspelt operator': [
      { nodes: [nodeOf('Rely', ['x'], ['y'])] },
      'Rely#0 -> "y" is an operator that is unknown; did you mean Relu?',
    ],
    'an operator of a later opset': [
      { nodes: [nodeOf('Gelu', ['x'], ['y'])] },
      'Gelu#0 -> "y" is an operator that is not in opset 17',
    ],
    'a withdrawn operator': [
      { nodes: [nodeOf('Upsample', ['x', 'x'], ['y'])] },
      'Upsample#0 -> "y" is an operator that is not in opset 17',
    ],
    'too few inputs': [
      { nodes: [nodeOf('Add', ['x'], ['y'])] },
      'Add#0 -> "y" has 1 inputs instead of 2',
    ],
    'an omitted input that has to be there': [
      { nodes: [nodeOf('Add', ['x', ''], ['y'])] },
      'Add#0 -> "y" has 1 inputs instead of 2',
    ],
    'too many outputs': [
      { nodes: [nodeOf('Relu', ['x'], ['y', 'z'])] },
      'Relu#0 -> "y" has 2 outputs instead of 1',
    ],
    'an unknown attribute': [
      { nodes: [nodeOf('Relu', ['x'], ['y'], { attributes: attributesOf({ alpha: 1 }) })] },
      'Relu#0 -> "y" has the attribute "alpha", which opset 17 does not know',
    ],
    'an attribute of another type': [
      { nodes: [nodeOf('Softmax', ['x'], ['y'], { attributes: attributesOf({ axis: 'last' }) })] },
      'Softmax#0 -> "y" has the attribute "axis" as string instead of int',
    ],
    'a missing attribute': [
      { nodes: [nodeOf('Concat', ['x'], ['y'])] },
      'Concat#0 -> "y" lacks the attribute "axis"',
    ],
    'a domain that is not imported': [
      { nodes: [nodeOf('FusedMatMul', ['x', 'x'], ['y'], { domain: 'com.microsoft' })] },
      'com.microsoft.FusedMatMul#0 -> "y" is of "com.microsoft", whose operators are not imported',
    ],
    'two nodes of one name': [
      {
        nodes: [
          nodeOf('Neg', ['x'], ['h'], { name: 'n' }),
          nodeOf('Neg', ['h'], ['y'], { name: 'n' }),
        ],
      },
      'two nodes are named "n"',
    ],
    'a subgraph that reads what is not there': [
      {
        initializers: [flag],
        nodes: [
          nodeOf('If', ['c'], ['y'], {
            attributes: attributesOf({
              then_branch: branch([nodeOf('Neg', ['x'], ['inner'])], 'inner'),
              else_branch: branch([nodeOf('Neg', ['nowhere'], ['inner'])], 'inner'),
            }),
          }),
        ],
      },
      'If#0 -> "y" reads "nowhere", which nothing defines',
    ],
  }
  for (const [name, [parts, message]] of Object.entries(wrong)) {
    test(`names ${name}`, () => {
      assert.equal(problemsOf(graph(parts))[0]?.message, message)
      assert.throws(() => verify(graph(parts)), {
        name: 'Bug',
        code: 'E_ONNX_VERIFY',
        message: `verify: ${message}.`,
      })
      assert.throws(() => checkModel(modelOf(graph(parts))), {
        name: 'UserFault',
        code: 'E_ONNX_INVALID',
      })
    })
  }

  test('lets variadic, optional and contrib operators pass', () => {
    const nodes = [
      nodeOf('Sum', ['x', 'x', 'x', 'x'], ['a']),
      nodeOf('Clip', ['a', '', 'limit'], ['b']),
      nodeOf('Gelu', ['b'], ['y'], { domain: 'com.microsoft' }),
    ]
    const initializers = [tensorOf('limit', 'float32', [1], [])]
    const opsets = { '': 17, 'com.microsoft': 1 }
    assert.deepEqual(problemsOf(graph({ nodes, initializers, opsets })), [])
  })

  test('lets functions pass that the model brings', () => {
    const nodes = [nodeOf('Twice', ['x'], ['y'], { domain: 'ours' })]
    const twice: Message = { fields: { name: 'Twice', domain: 'ours' } }
    const model = modelOf(graph({ nodes, opsets: { '': 17, ours: 1 } }), {
      rest: { fields: { functions: [twice] } },
    })
    assert.equal(checkModel(model), model)
  })

  test('lets branches use the same names for their own values', () => {
    const same = branch([nodeOf('Neg', ['x'], ['inner'])], 'inner')
    const attributes = attributesOf({ then_branch: same, else_branch: same })
    const nodes = [nodeOf('If', ['c'], ['y'], { attributes })]
    assert.deepEqual(problemsOf(graph({ nodes, initializers: [flag] })), [])
  })
})

test('operators have the form of the opset asked for', () => {
  assert.deepEqual(operatorForm('ReduceMean', 17)?.inputs, [1, 1])
  assert.deepEqual(operatorForm('ReduceMean', 18)?.inputs, [1, 2])
  assert.equal(operatorForm('ReduceMean', 18)?.attributes.has('axes'), false)
  assert.equal(operatorForm('Split', 17)?.attributes.has('num_outputs'), false)
  assert.equal(operatorForm('Split', 18)?.attributes.has('num_outputs'), true)
  assert.equal(operatorForm('LayerNormalization', 16), undefined)
  assert.deepEqual(operatorForm('Sum', 13)?.inputs, [1, Infinity])
  assert.equal(operatorForm('constructor', 17), undefined)
})

test('declared shapes that are not what was inferred are told', () => {
  const shapes = new Map([
    ['x', { type: 'float32', dims: [2, 3] } as const],
    ['y', { type: 'float32', dims: [2, 4] } as const],
  ])
  assert.deepEqual(
    shapeProblemsOf(graph({}), shapes).map(({ message }) => message),
    ['"y" is declared float32 [2, 3] but is float32 [2, 4]'],
  )
})
