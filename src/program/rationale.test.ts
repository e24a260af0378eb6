import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UserFault } from '../base/index.ts'
import type { Image } from '../image/index.ts'
import type { CallTool } from './call-tool.ts'
import { FAMILIES } from './families.ts'
import { FIXTURE_SIGNATURES, fixtureImage, fixtureObject } from './fixtures.ts'
import { escapeHtml, html } from './html.ts'
import { parse } from './parse.ts'
import { rationale } from './rationale.ts'
import type { ThumbnailRequest } from './rationale-figures.ts'
import { runProgram } from './run.ts'

const IMAGE = fixtureImage('photo')
const crop = (): Image => {
  const frame = { ...IMAGE.frame, id: 'photo@20', x: 20, width: 80 }
  return Object.freeze({ ...fixtureImage('crop', 80), frame })
}

const tools: CallTool = async (tool, args) => {
  switch (tool) {
    case 'LOC':
    case 'SEG':
      return {
        value: [0, 1, 2].map((i) => fixtureObject(`d${i}`, IMAGE, [i, i, i + 9, i + 9])),
        prompts: [{ lesson: 'l1', concept: 'dog', prompt: 'p7', weight: 0.25 }],
      }
    case 'SELECT':
      return { value: args['object'] ?? null }
    case 'COUNT':
      return { value: (args['box'] as readonly unknown[]).length }
    case 'CROP':
      return { value: crop(), notices: [{ code: 'N_EMPTY_BOX', message: 'no <box>' }] }
    case 'VQA':
      return { value: '</b><img src=x onerror=alert(1)>', raw: '"&' }
    default:
      throw new UserFault('T_INPUT', `no ${tool} & "nothing"`)
  }
}

async function page(
  text: string,
  instruction = 'What is it?',
): Promise<{ text: string; drawn: { image: Image; request: ThumbnailRequest }[] }> {
  const program = parse(text)
  const run = await runProgram(program, {
    inputs: { IMAGE },
    call: tools,
    signatures: FIXTURE_SIGNATURES,
    family: FAMILIES.open,
  })
  const drawn: { image: Image; request: ThumbnailRequest }[] = []
  const written = await rationale({
    instruction,
    inputs: { IMAGE },
    program,
    steps: run.steps,
    outcome: run.outcome,
    thumbnail: async (image, request) => {
      drawn.push({ image, request })
      return 'data:image/webp;base64,AAAA'
    },
  })
  return { text: written, drawn }
}

/** What a reader sees: markup removed, entities decoded, blanks collapsed. */
function seen(markup: string): string {
  return markup
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
}

describe('the rationale', () => {
  it('shows texts of programs, models and people as text; no element is made from them (G16)', async () => {
    const { text } = await page(
      `A=VQA(image=IMAGE,question='<b>&"x"</b>')\nR=RESULT(var=A)`,
      '<script>alert(1)</script>',
    )
    assert.ok(!/<script|<img src=x|onerror=[^&]*>/i.test(text.replace(/&lt;[^<]*/g, '')))
    assert.match(seen(text), /question='<b>&"x"<\/b>'/)
    assert.match(seen(text), /<script>alert\(1\)<\/script>/)
    assert.match(text, /&lt;\/b&gt;&lt;img src=x onerror=alert\(1\)&gt;/)
  })

  it('is one file without script or remote resource, with a policy that forbids them', async () => {
    const { text } = await page('A=SEG(image=IMAGE)\nR=RESULT(var=A)')
    assert.match(
      text,
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;/,
    )
    assert.ok(!/<script|https?:|@import|url\(|\son\w+=/i.test(text))
    const sources = [...text.matchAll(/\ssrc="([^"]*)"/g)].map((match) => match[1])
    assert.ok(sources.length > 0 && sources.every((one) => one?.startsWith('data:image/')))
    assert.equal([...text.matchAll(/<img /g)].length, [...text.matchAll(/ alt="[^"]+"/g)].length)
  })

  it('writes each step as VAR=TOOL(arg=…)=result', async () => {
    const { text } = await page(
      "A=SEG(image=IMAGE)\nB=COUNT(box=A)\nC=EVAL(expr=\"{B} > 2 and 'a' == 'a'\")\nR=RESULT(var=C)",
    )
    const words = seen(text)
    assert.match(words, /A=SEG\(image=IMAGE\s*\)=3 objects/)
    assert.match(words, /B=COUNT\(box=A\)=3/)
    assert.match(words, /C=EVAL\(expr="\{B\} > 2 and 'a' == 'a'"\)=yes/)
    assert.match(words, /3 > 2 and 'a' == 'a'/)
    assert.match(text, /<b class="tool">COUNT<\/b>/)
    assert.match(words, /p7 \(dog, lesson l1\)/)
  })

  it('draws inputs at 100 and results at 300 pixels, each in its way', async () => {
    const { drawn, text } = await page(
      "A=LOC(image=IMAGE,object='dog')\nB=CROP(image=IMAGE,box=A)\nC=COUNT(box=A)\nD=SELECT(image=B,object=A,query='x')\nE=EVAL(expr='{C}')\nR=RESULT(var=E)",
    )
    const requests = drawn.map(({ request }) => request)
    assert.deepEqual(new Set(requests.map((one) => one.side)), new Set([100, 300]))
    const pens = requests.map((one) => `${one.style?.pens}:${one.objects?.length}`)
    assert.ok(pens.includes('best:3'))
    assert.equal(pens.filter((one) => one === 'chosen:1').length, 3)
    assert.deepEqual(
      requests.flatMap((one) => (one.region ? [one.region] : [])),
      [[20, 0, 100, 80]],
    )
    assert.match(text, /class="grid"/)
    assert.match(seen(text), /N_EMPTY_BOX no <box>/)
  })

  it('marks the failing step and lists the later ones as not run', async () => {
    const { text } = await page(
      'A=SEG(image=IMAGE)\nB=BGBLUR(image=IMAGE,object=A)\nC=COLORPOP(image=B,object=A)\nR=RESULT(var=C)',
    )
    assert.equal([...text.matchAll(/ failed"/g)].length, 1)
    assert.match(seen(text), /T_INPUT no BGBLUR & "nothing"/)
    assert.equal([...seen(text).matchAll(/not run/g)].length, 2)
  })

  it('shows arms not taken, and a fragment for each iteration', async () => {
    const { text } = await page(
      'A=SEG(image=IMAGE)\nif "len(A) > 9"\nB=COUNT(box=A)\nelse\nB=EVAL(expr="1")\nend\nfor O in A gather C as L\nC=COUNT(box=O)\nend\nR=RESULT(var=B)',
    )
    const words = seen(text)
    assert.match(words, /B=COUNT\(box=A\) not taken/)
    assert.match(words, /for O in A: item 3 of 3/)
    assert.equal([...words.matchAll(/C=COUNT\(box=O\)=1/g)].length, 3)
    assert.ok(!words.includes('not run'))
  })

  it('refuses a thumbnail that is not a data address', async () => {
    const program = parse('R=RESULT(var=IMAGE)')
    const made = rationale({
      instruction: '',
      inputs: { IMAGE },
      program,
      steps: [],
      outcome: { status: 'aborted', reason: 'x' },
      thumbnail: async () => 'https://example.org/x.png',
    })
    await assert.rejects(made, { name: 'TypeError' })
  })
})

describe('html', () => {
  it('escapes what is put in, and nothing else', () => {
    assert.equal(
      html`<a title="${'"<>&\''}">${html`<i>${'<'}</i>`}</a>`.markup,
      '<a title="&quot;&lt;&gt;&amp;&#39;"><i>&lt;</i></a>',
    )
    assert.equal(escapeHtml('a\u0000\ud800\n'), 'a\ufffd\ufffd\n')
  })
})
