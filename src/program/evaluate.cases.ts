import type { Value } from './value.ts'

type Outcome =
  | { readonly value: Value }
  | {
      readonly code: string
      readonly at?: number
      readonly variable?: string
      readonly value?: string
    }

/** Conformance vectors of EVAL (program-language §11.4). */
export const EVALUATE_CASES: readonly (readonly [
  id: string,
  expression: string,
  state: Readonly<Record<string, Value>>,
  outcome: Outcome,
])[] = [
  ['E1', "'yes' if {A} == 'yes' else 'no'", { A: 'yes' }, { value: 'yes' }],
  ['E2', "'yes' if {A}=='yes' else 'no'", { A: 'yes' }, { value: 'yes' }],
  ['E3', "'yes' if {A} == {B} else 'no'", { A: 'no', B: 'no' }, { value: 'yes' }],
  ['E4', "'yes' if {A} == {B} else 'no'", { A: 'yes', B: 'no' }, { value: 'no' }],
  ['E5', "'yes' if '{A}' == 'yes' else 'no'", { A: 'yes' }, { value: 'yes' }],
  ['E6', '{A} + {B} == 3', { A: '2', B: '1' }, { value: true }],
  ['E7', '{A} + {B} == 3', { A: 'two', B: '1' }, { value: true }],
  [
    'E8',
    '{A} + {B} == 3',
    { A: 'many', B: '1' },
    { code: 'X_NOT_NUMBER', variable: 'A', value: "'many'" },
  ],
  ['E9', "'yes' if {A} + {B} == 2 else 'no'", { A: 1, B: 1 }, { value: 'yes' }],
  ['E10', "'yes' if {A} + {B} == 2 else 'no'", { A: 'yes', B: 'yes' }, { value: 'yes' }],
  ['E11', '{A} xor {B}', { A: 'yes', B: 'yes' }, { value: false }],
  ['E12', '{A} xor {B}', { A: 'yes', B: 'no' }, { value: true }],
  ['E13', '{A} xor {B}', { A: 'no', B: 'yes' }, { value: true }],
  ['E14', '{A} xor {B}', { A: 'no', B: 'no' }, { value: false }],
  ['E15', '{A} xor {B} xor {C}', { A: 'yes', B: 'no', C: 'no' }, { value: true }],
  ['E16', '{A} xor {B} xor {C}', { A: 'yes', B: 'yes', C: 'yes' }, { value: true }],
  ['E17', '{A} and {B} xor {C}', { A: 'no', B: 'yes', C: 'yes' }, { value: true }],
  ['E18', '{A} or {B} xor {C}', { A: 'yes', B: 'yes', C: 'yes' }, { value: true }],
  ['E19', 'not {A} xor {B}', { A: 'no', B: 'no' }, { value: true }],
  ['E20', "{A} == 'saxor'", { A: 'saxor' }, { value: true }],
  ['E21', '{A} xor {B}', { A: 'yes', B: '3' }, { value: false }],
  [
    'E22',
    '{A} xor {B}',
    { A: 'yes', B: 'red' },
    { code: 'X_NOT_BOOLEAN', variable: 'B', value: "'red'" },
  ],
  ['E23', '{A} > 0 xor {B} > 0', { A: 2, B: 0 }, { value: true }],
  [
    'E24',
    "'front' if {A} > 0 else 'behind' if {B} > 0 else 'neither'",
    { A: 0, B: 0 },
    { value: 'neither' },
  ],
  [
    'E25',
    "'front' if {A} > 0 else 'behind' if {B} > 0 else 'neither'",
    { A: 0, B: 2 },
    { value: 'behind' },
  ],
  [
    'E26',
    "'front' if {A} > 0 else 'behind' if {B} > 0 else 'neither'",
    { A: 1, B: 0 },
    { value: 'front' },
  ],
  ['E27', "'yes' if {A} > 0 and else 'no'", { A: 1 }, { code: 'X_SYNTAX', at: 21 }],
  ['E28', "'yes' if {A} > 0", { A: 1 }, { code: 'X_SYNTAX', at: 16 }],
  ['E29', '{A} == 1 and {B}', { A: '1', B: 'yes' }, { value: true }],
  ['E30', "{A} == 'yes'", { A: '1' }, { value: false }],
  ['E31', '{A} == 1', { A: 'yes' }, { value: true }],
  ['E32', '{A} == True', { A: 'Yes ' }, { value: true }],
  ['E33', "{A} == 'Red  Wine'", { A: ' red wine' }, { value: true }],
  ['E34', '{A} == {B}', { A: 'two', B: 2 }, { value: true }],
  ['E35', '{A} + 1', { A: '007' }, { value: 8 }],
  ['E36', '{A} * 2', { A: '1,204.5' }, { value: 2409 }],
  ['E37', '{A} + {B}', { A: 'twenty-one', B: 'two hundred and five' }, { value: 226 }],
  ['E38', '{A} == 0', { A: 'none' }, { value: true }],
  ['E39', '{A} > 0', { A: 'red' }, { code: 'X_NOT_NUMBER', variable: 'A', value: "'red'" }],
  ['E40', '{A} == 3', { A: 'red' }, { value: false }],
  ['E41', "{A} == 'tom\\'s'", { A: "Tom's" }, { value: true }],
  ['E42', '{A} == "say \\"hi\\""', { A: 'say "hi"' }, { value: true }],
  ['E43', '{A}', { A: "'; import x; '" }, { value: "'; import x; '" }],
  ['E44', "concat({A}, ' of ', {B})", { A: 2, B: 'oak' }, { value: '2 of oak' }],
  ['E45', "{A} + ' of oak'", { A: 2 }, { code: 'X_NOT_NUMBER' }],
  ['E46', '1 < {A} <= 3', { A: '3' }, { value: true }],
  ['E47', "'red' in {A}", { A: ['Red', 'blue'] }, { value: true }],
  ['E48', "'re' not in {A}", { A: 'green' }, { value: false }],
  ['E49', '{A} / {B}', { A: 1, B: 'no' }, { code: 'X_DIV_ZERO' }],
  ['E50', '-7 // 2 + -7 % 2', {}, { value: -3 }],
  ['E51', '2 + 3 * -2', {}, { value: -4 }],
  ['E52', '0.1 + 0.2 == 0.3', {}, { value: true }],
  ['E53', 'round(3.5) + round(-3.5) + round(1.26, 1)', {}, { value: 1.3 }],
  ['E54', 'len({A}) > 2 or {A}', { A: [] }, { value: false }],
  ['E55', 'yes if A > 1 else no', { A: 2 }, { value: 'yes' }],
  ['E56', '{A} AND NOT {B}', { A: 'true', B: 'false' }, { value: true }],
  ['E57', '{toString}', {}, { code: 'X_UNDEFINED' }],
  ['E58', '{A} = 2', { A: 2 }, { code: 'X_SYNTAX', at: 4 }],
  ['E59', '{A}[0]', { A: ['x'] }, { code: 'X_SYNTAX', at: 3 }],
  ['E60', "open('f')", {}, { code: 'X_FUNCTION' }],
  ['E61', '{A} and {B}', { A: 'no', B: 'red' }, { value: false }],
  ['E62', '{A}', { A: '' }, { value: '' }],
  ['E63', "'a' if {A} else 'b'", { A: '' }, { code: 'X_NOT_BOOLEAN' }],
  ['E64', '9007199254740991 + 1', {}, { code: 'X_RANGE' }],
  ['E65', '', {}, { code: 'X_SYNTAX', at: 0 }],
]

/** Conformance vectors of substitution (program-language §11.3). */
export const SUBSTITUTE_CASES: readonly (readonly [
  id: string,
  text: string,
  state: Readonly<Record<string, Value>>,
  result: string,
])[] = [
  ['F1', '{A} and { B }', { A: 'red', B: 3 }, 'red and 3'],
  ['F2', 'Is it {A}?', { A: true }, 'Is it yes?'],
  ['F3', '{A}', { A: ['ant', 'bee'] }, 'ant, bee'],
  ['F4', '{{A}} {A}', { A: '{B}', B: 'no' }, '{A} {B}'],
  ['F5', '{ } {1} {A.b} {A', { A: 'x' }, '{ } {1} {A.b} {A'],
  ['F6', 'n={A}', { A: 0.30000000000000004 }, 'n=0.3'],
]
