import type { CommandSpec } from './command.ts'

const MODEL = { name: 'model', about: 'an ONNX file; large weights beside it stay where they are' }

/** `pupil onnx …`, as data. */
export const ONNX_COMMANDS: CommandSpec = {
  name: 'onnx',
  about: 'look into ONNX models, check them, and derive their gradients',
  examples: ['pupil onnx show model.onnx', 'pupil onnx grad model.onnx --loss logits --wrt pixels'],
  commands: [
    {
      name: 'show',
      about: 'print what a model is; with --text its nodes, one a line',
      arguments: [MODEL],
      options: [
        { flags: '--text', about: 'print the graph too' },
        { flags: '-n, --limit <count>', about: 'print at most so many nodes', kind: 'number' },
      ],
      examples: [
        'pupil onnx show model.onnx',
        'pupil onnx show model.onnx --text -n 20',
        'pupil onnx show model.onnx --json',
      ],
      load: () => import('./commands/onnx-show.ts'),
    },
    {
      name: 'check',
      about: 'report everything that is wrong with a model; exit code 1 if anything is',
      arguments: [MODEL],
      examples: ['pupil onnx check model.onnx', 'pupil onnx check model.onnx --json'],
      load: () => import('./commands/onnx-check.ts'),
    },
    {
      name: 'ops',
      about: 'count the operators, and say which of them gradients pass',
      arguments: [MODEL],
      examples: ['pupil onnx ops model.onnx', 'pupil onnx ops model.onnx --json'],
      load: () => import('./commands/onnx-ops.ts'),
    },
    {
      name: 'grad',
      about: 'derive the gradient of a loss as ordinary ONNX nodes',
      arguments: [MODEL],
      options: [
        { flags: '--loss <value>', about: 'what to descend; of several elements, the mean' },
        {
          flags: '--wrt <value>',
          about: 'an input, weight or value to train; give it again for more',
          kind: 'list',
        },
        {
          flags: '--size <input=sizes>',
          about: 'sizes of an input that has free ones: pixels=1x3x224x224; again for more',
          kind: 'list',
        },
        { flags: '-o, --out <file>', about: 'write the graph there' },
      ],
      examples: [
        'pupil onnx grad vision.onnx --loss image_embeds --wrt pixel_values --size pixel_values=1x3x32x32',
        'pupil onnx grad model.onnx --loss loss --wrt weight --wrt bias -o gradient.onnx --json',
      ],
      load: () => import('./commands/onnx-grad.ts'),
    },
  ],
}
