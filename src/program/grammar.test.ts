import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../base/index.ts'
import type { Random } from '../base/index.ts'
import { check } from './check.ts'
import { FAMILIES } from './families.ts'
import { FIXTURE_SIGNATURES } from './fixtures.ts'
import { grammarFor, grammarRules } from './grammar.ts'
import { printRules, words } from './grammar-rules.ts'
import type { GrammarRules, Rule } from './grammar-rules.ts'
import { parse } from './parse.ts'
import type { Family, Signature } from './signature.ts'

/** All offsets at which `rule` may end when it begins at `at`: a reader of grammars for tests. */
function ends(rules: GrammarRules, rule: Rule, text: string, at: number): Set<number> {
  switch (rule.type) {
    case 'literal':
      return new Set(text.startsWith(rule.text, at) ? [at + rule.text.length] : [])
    case 'class':
      return new Set(new RegExp(`^[${rule.body}]`, 'u').test(text.slice(at)) ? [at + 1] : [])
    case 'ref':
      return ends(rules, rules.get(rule.name) ?? assert.fail(rule.name), text, at)
    case 'all':
      return rule.parts.reduce((from, part) => step(rules, part, text, from), new Set([at]))
    case 'any':
      return new Set(rule.options.flatMap((option) => [...ends(rules, option, text, at)]))
    case 'repeat': {
      const found = new Set(rule.min === 0 ? [at] : [])
      let from = new Set([at])
      for (let count = 1; count <= rule.max && from.size > 0; count++) {
        from = step(rules, rule.of, text, from)
        if (count >= rule.min) for (const end of from) found.add(end)
      }
      return found
    }
    default:
      return rule satisfies never
  }
}

function step(
  rules: GrammarRules,
  rule: Rule,
  text: string,
  from: ReadonlySet<number>,
): Set<number> {
  return new Set([...from].flatMap((at) => [...ends(rules, rule, text, at)]))
}

const follows = (rules: GrammarRules, text: string): boolean =>
  ends(rules, { type: 'ref', name: 'root' }, text, 0).has(text.length)

/** A random text of the grammar; repetitions are mostly short. */
function sample(rules: GrammarRules, rule: Rule, random: Random): string {
  switch (rule.type) {
    case 'literal':
      return rule.text
    case 'class':
      return sampleClass(rule.body, random)
    case 'ref':
      return sample(rules, rules.get(rule.name) ?? assert.fail(rule.name), random)
    case 'all':
      return rule.parts.map((part) => sample(rules, part, random)).join('')
    case 'any':
      return sample(rules, rule.options[random.below(rule.options.length)] ?? rule, random)
    case 'repeat': {
      const spread = random.below(5) === 0 ? Math.min(rule.max - rule.min, 3) : 0
      const count = rule.min + random.below(spread + 1)
      return Array.from({ length: count }, () => sample(rules, rule.of, random)).join('')
    }
    default:
      return rule satisfies never
  }
}

function sampleClass(body: string, random: Random): string {
  const pattern = new RegExp(`[${body}]`, 'u')
  const letters = [...'aZ09_A é#,;)(]=:-日'].filter((unit) => pattern.test(unit))
  return letters[random.below(letters.length)] ?? assert.fail(body)
}

/** The longest text of a rule, in UTF-16 units. */
function longest(rules: GrammarRules, rule: Rule, known = new Map<string, number>()): number {
  switch (rule.type) {
    case 'literal':
      return rule.text.length
    case 'class':
      return 2
    case 'ref': {
      const length =
        known.get(rule.name) ?? longest(rules, rules.get(rule.name) ?? assert.fail(), known)
      known.set(rule.name, length)
      return length
    }
    case 'all':
      return rule.parts.reduce((sum, part) => sum + longest(rules, part, known), 0)
    case 'any':
      return Math.max(...rule.options.map((option) => longest(rules, option, known)))
    case 'repeat':
      return rule.max * longest(rules, rule.of, known)
    default:
      return rule satisfies never
  }
}

const ROOT: Rule = { type: 'ref', name: 'root' }
const NAMES = ['gqa', 'nlvr', 'imgedit', 'tagging', 'open'] as const

/** Texts of the grammar that the check finds fault with, an unused name excepted. */
function faulty(family: Family, signatures: readonly Signature[], count: number): string[] {
  const rules = grammarRules(signatures, family)
  const random = seededRandom(family.name)
  const texts = Array.from({ length: count }, () => sample(rules, ROOT, random))
  return texts.flatMap((text) => {
    const found = check(parse(text), { family, signatures })
    const wrong = found.filter(({ code }) => code !== 'W_UNUSED')
    return wrong.map(({ code, message }) => `${code} ${message} in\n${text}`)
  })
}

const tool = (name: string, out: Signature['out'], args: Signature['args']): Signature => ({
  ...{ name, out, args, families: [], about: name },
})
const arg = (name: string, type: Signature['args'][number]['type'], more: object = {}) => ({
  ...{ name, type, about: name, ...more },
})

describe('the grammar of programs', () => {
  for (const name of NAMES) {
    it(`${name}: lets only programs be written that pass the check`, () => {
      assert.deepEqual(faulty(FAMILIES[name], FIXTURE_SIGNATURES, 2_000), [])
    })

    it(`${name}: lets nothing be written that is too long for the language`, () => {
      const rules = grammarRules(FIXTURE_SIGNATURES, FAMILIES[name])
      assert.ok(longest(rules, ROOT) <= 20_000, String(longest(rules, ROOT)))
      const known = [...rules].filter(([rule]) => /^(?:text|choice)-/.test(rule))
      assert.ok(known.length > 0)
      for (const [rule, body] of known) assert.ok(longest(rules, body) <= 2_000, rule)
    })
  }

  it('holds for tools and families of one’s own, whatever they take and give', () => {
    const signatures = [
      tool('LOOK', 'any', [arg('at', 'image')]),
      tool('SAY', 'text', [arg('what', 'variable'), arg('loud', 'bool', { default: false })]),
      tool('WAIT', 'none', [arg('for', 'number', { default: 1, min: -5, max: 5 })]),
      tool('MARK', 'image', [arg('on', 'image'), arg('as', 'text', { values: ['red', "it's"] })]),
      tool('GREY', 'image', [arg('what', 'image')]),
      tool('NUMBERS', { list: 'number' }, [arg('of', 'list'), arg('by', 'emoji')]),
      tool('PILE', { list: 'image' }, [arg('from', 'texts'), arg('at', 'objects')]),
      tool('FIND', 'objects', [arg('in', 'image'), arg('most', 'integer', { min: 0, max: 9 })]),
    ]
    const family: Family = {
      ...{ name: 'own', about: 'Ours.', resultName: 'IMAGE7', result: ['image'] },
      ...{ inputs: [{ name: 'ANSWER0', kind: 'image' }], resultOf: 'MARK', maxSide: null },
      tools: [...signatures.map((one) => one.name), 'EVAL', 'RESULT'],
    }
    assert.deepEqual(faulty(family, signatures, 500), [])
  })

  it('lets programs of the papers be written', () => {
    const texts = [
      [
        'gqa',
        "BOX0=LOC(image=IMAGE,object='the kettle')\nIMAGE0=CROP_LEFTOF(image=IMAGE,box=BOX0)\nANSWER0=COUNT(box=BOX0)\nANSWER1=EVAL(expr=\"'yes' if {ANSWER0} > 0 else 'no'\")\nFINAL_RESULT=RESULT(var=ANSWER1)",
      ],
      [
        'nlvr',
        "ANSWER0=VQA(image=LEFT,question=\"Is it the cat's bowl?\")\nANSWER1=EVAL(expr='{ANSWER0} xor not ({ANSWER0} >= 2)')\nFINAL_ANSWER=RESULT(var=ANSWER1)",
      ],
      [
        'imgedit',
        "OBJ0=SEG(image=IMAGE)\nOBJ1=SELECT(image=IMAGE,object=OBJ0,query='a, b',category=['x','y'])\nIMAGE0=EMOJI(image=IMAGE,object=OBJ1,emoji=';)')\nFINAL_RESULT=RESULT(var=IMAGE0)",
      ],
      [
        'tagging',
        "OBJ0=FACEDET(image=IMAGE)\nLIST0=LIST(query='tall birds',max=100)\nOBJ1=CLASSIFY(image=IMAGE,object=OBJ0,categories=LIST0)\nIMAGE0=TAG(image=IMAGE,object=OBJ1)\nFINAL_RESULT=RESULT(var=IMAGE0)",
      ],
    ] as const
    for (const [family, text] of texts) {
      assert.ok(follows(grammarRules(FIXTURE_SIGNATURES, FAMILIES[family]), text), text)
    }
  })

  it('refuses other tools, missing arguments, nested calls, numbers out of range and prose', () => {
    const start = "BOX0=LOC(image=IMAGE,object='a')\nANSWER0=COUNT(box=BOX0)\n"
    const end = '\nFINAL_RESULT=RESULT(var=ANSWER0)'
    const rules = grammarRules(FIXTURE_SIGNATURES, FAMILIES.gqa)
    assert.ok(follows(rules, `${start}ANSWER1=COUNT(box=BOX0)${end}`))
    for (const line of [
      'ANSWER1=SEG(image=IMAGE)',
      'ANSWER1=VQA(image=IMAGE)',
      'ANSWER1=COUNT(box=LOC(image=IMAGE))',
      "ANSWER1=VQA(image=IMAGE,question='')",
      'Here it is:',
      'ANSWER1=EVAL(expr="open(\'f\')")',
    ]) {
      assert.equal(follows(rules, start + line + end), false, line)
    }
    const tagging = grammarRules(FIXTURE_SIGNATURES, FAMILIES.tagging)
    const tags = (max: number): string =>
      `BOX0=LOC(image=IMAGE,object='a')\nLIST0=LIST(query='x',max=${max})\nIMAGE0=TAG(image=IMAGE,object=BOX0)\nFINAL_RESULT=RESULT(var=IMAGE0)`
    assert.equal(follows(tagging, tags(101)), false)
    assert.equal(follows(tagging, tags(99)), true)
  })

  it('refuses names that are not assigned, assigned twice, or hold something else', () => {
    const rules = grammarRules(FIXTURE_SIGNATURES, FAMILIES.gqa)
    const loc = "BOX0=LOC(image=IMAGE,object='a')"
    for (const lines of [
      [loc, 'ANSWER0=COUNT(box=BOX1)'],
      [loc, 'ANSWER0=COUNT(box=IMAGE)'],
      [loc, 'ANSWER0=VQA(image=BOX0,question="b")'],
      [loc, loc, 'ANSWER0=COUNT(box=BOX0)'],
      [loc, 'ANSWER0=EVAL(expr="{ANSWER0} > 0")'],
      ["ANSWER0=VQA(image=IMAGE,question='{ANSWER0}')"],
    ]) {
      const text = [...lines, 'FINAL_RESULT=RESULT(var=ANSWER0)'].join('\n')
      assert.equal(follows(rules, text), false, text)
    }
    assert.equal(follows(rules, `${loc}\nFINAL_RESULT=RESULT(var=BOX0)`), false)
  })

  it('keeps to the number of steps', () => {
    const rules = grammarRules(FIXTURE_SIGNATURES, FAMILIES.nlvr, { maxSteps: 2 })
    const text = (steps: number): string =>
      Array.from({ length: steps }, (_, i) => `ANSWER${i}=VQA(image=LEFT,question='a')\n`).join(
        '',
      ) + 'FINAL_ANSWER=RESULT(var=ANSWER0)'
    assert.deepEqual(
      [0, 1, 2, 3].map((steps) => follows(rules, text(steps))),
      [false, true, true, false],
    )
  })

  it('is written in the notation of llama.cpp', () => {
    for (const name of NAMES) {
      const text = grammarFor(FIXTURE_SIGNATURES, FAMILIES[name])
      const lines = text.trimEnd().split('\n')
      assert.match(lines[0] ?? '', /^root ::= after-\d+$/)
      assert.ok(lines.every((line) => /^[a-z][a-z0-9-]* ::= \S/.test(line)))
      const defined = new Set(lines.map((line) => line.split(' ')[0]))
      assert.equal(defined.size, lines.length)
      const bare = text.replace(/"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]/g, '')
      for (const [word] of bare.matchAll(/[a-z][a-z0-9-]*/g)) assert.ok(defined.has(word), word)
    }
    const one = grammarFor(FIXTURE_SIGNATURES, FAMILIES.nlvr, { maxSteps: 1 })
    assert.match(one, /^after-\d+ ::= "FINAL_ANSWER=RESULT\(var=" "ANSWER0" "\)"$/m)
    assert.match(one, /"VQA\(" "image=" \("LEFT" \| "RIGHT"\) ",question=" text-\d+ "\)"/)
  })

  it('shares the beginnings of words', () => {
    const rules = new Map([['root', words(['IMAGE', 'IMAGE0', 'IMAGE1', 'LEFT'])]])
    assert.equal(printRules(rules), 'root ::= "IMAGE" ("0" | "1")? | "LEFT"\n')
    for (const text of ['IMAGE', 'IMAGE1', 'LEFT']) assert.ok(follows(rules, text))
    assert.ok(!follows(rules, 'IMAGE2'))
  })
})
