import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../base/index.ts'
import type { Random } from '../base/index.ts'
import { check } from './check.ts'
import { FAMILIES } from './families.ts'
import { FIXTURE_SIGNATURES } from './fixtures.ts'
import { grammarFor, grammarRules } from './grammar.ts'
import type { GrammarRules, Rule } from './grammar-rules.ts'
import { parse } from './parse.ts'

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

/** A random text of the grammar; repetitions are mostly left out, so that texts stay short. */
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

const STEP: Rule = { type: 'ref', name: 'step' }
const RESULT: Rule = { type: 'ref', name: 'result' }

describe('the grammar of programs', () => {
  const names = ['gqa', 'nlvr', 'imgedit', 'tagging', 'open'] as const

  for (const name of names) {
    it(`${name}: lets nothing be written that does not parse or has a wrong tool, argument or literal`, () => {
      const family = FAMILIES[name]
      const rules = grammarRules(FIXTURE_SIGNATURES, family)
      const random = seededRandom(name)
      const allowed = new Set(['C_UNDEFINED', 'C_REASSIGNED', 'C_TYPE', 'W_UNUSED'])
      for (let i = 0; i < 300; i++) {
        const steps: string[] = Array.from({ length: random.below(6) }, () =>
          sample(rules, STEP, random),
        )
        const text: string = [...steps, sample(rules, RESULT, random)].join('\n')
        assert.ok(follows(rules, text), text)
        const found = check(parse(text), { family, signatures: FIXTURE_SIGNATURES })
        const wrong = found.filter((one) => !allowed.has(one.code))
        assert.deepEqual(wrong, [], text.slice(0, 500))
      }
    })
  }

  it('lets programs of the papers be written', () => {
    const texts = [
      [
        'gqa',
        "BOX0=LOC(image=IMAGE,object='the kettle')\nIMAGE0=CROP_LEFTOF(image=IMAGE,box=BOX0)\nANSWER0=COUNT(box=BOX0)\nANSWER1=EVAL(expr=\"'yes' if {ANSWER0} > 0 else 'no'\")\nFINAL_RESULT=RESULT(var=ANSWER1)",
      ],
      [
        'nlvr',
        'ANSWER0=VQA(image=LEFT,question="Is it the cat\'s bowl?")\nANSWER1=EVAL(expr="{ANSWER0} xor not (len({ANSWER0}) + 1 >= 2)")\nFINAL_ANSWER=RESULT(var=ANSWER1)',
      ],
      [
        'imgedit',
        "OBJ0=SEG(image=IMAGE)\nOBJ1=SELECT(image=IMAGE,object=OBJ0,query='a, b',category=None)\nIMAGE0=EMOJI(image=IMAGE,object=OBJ1,emoji=';)')\nFINAL_RESULT=RESULT(var=IMAGE0)",
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
    const rules = grammarRules(FIXTURE_SIGNATURES, FAMILIES.gqa)
    const end = '\nFINAL_RESULT=RESULT(var=A)'
    for (const line of [
      'A=SEG(image=IMAGE)',
      'A=LOC(image=IMAGE)',
      'A=COUNT(box=LOC(image=IMAGE))',
      "A=LOC(image=IMAGE,object='')",
      'Here it is:',
      'A=EVAL(expr="open(\'f\')")',
    ]) {
      assert.equal(follows(rules, line + end), false, line)
    }
    const tagging = grammarRules(FIXTURE_SIGNATURES, FAMILIES.tagging)
    assert.equal(follows(tagging, `A=LIST(query='x',max=101)${end}`), false)
    assert.equal(follows(tagging, `A=LIST(query='x',max=99)${end}`), true)
  })

  it('is written in the notation of llama.cpp', () => {
    const text = grammarFor(FIXTURE_SIGNATURES, FAMILIES.nlvr, { maxSteps: 3 })
    const lines = text.trimEnd().split('\n')
    assert.equal(lines[0], 'root ::= (step "\\n"){0,3} result')
    assert.equal(lines[1], 'result ::= "FINAL_ANSWER=RESULT(var=" name ")"')
    assert.ok(lines.includes('tool-vqa ::= "VQA(" "image=" name ",question=" text ")"'))
    assert.ok(lines.includes('name ::= [A-Z] [A-Z0-9_]{0,23}'))
    assert.ok(lines.every((line) => /^[a-z][a-z0-9-]* ::= \S/.test(line)))
    const defined = new Set(lines.map((line) => line.split(' ')[0]))
    const bare = text.replace(/"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]/g, '')
    for (const [word] of bare.matchAll(/[a-z][a-z0-9-]*/g)) assert.ok(defined.has(word), word)
  })
})
