// Cost of the interpreter and its trace, with tools that answer at once: `node bench/interpreter.ts`.
// Must hold: under 0.2 ms a step.
import { FAMILIES, parse, runProgram } from '../src/program/index.ts'
import { FIXTURE_SIGNATURES, fixtureImage, fixtureObject } from '../src/program/fixtures.ts'

const IMAGE = fixtureImage('photo')
const objects = [fixtureObject('a', IMAGE), fixtureObject('b', IMAGE)]

const straight = (): string => {
  const lines = ["BOX=LOC(image=IMAGE,object='dog')"]
  for (let i = 0; i < 48; i++) {
    lines.push(`N${i}=COUNT(box=BOX)`, `E${i}=EVAL(expr="{N${i}} + 1 > 2 and 'yes' == 'yes'")`)
  }
  const all = Array.from({ length: 48 }, (_, i) => `{E${i}}`).join(' and ')
  return [...lines, `A=EVAL(expr='${all}')`, 'FINAL_RESULT=RESULT(var=A)'].join('\n')
}

const looped = `OBJ=SEG(image=IMAGE)
for X in OBJ limit 100 carry V from IMAGE gather Q as L
I=CROP(image=V,box=X)
Q=VQA(image=I,question='What colour is it?')
V=BGBLUR(image=V,object=X)
end
FINAL_RESULT=RESULT(var=L)`

const many = Array.from({ length: 100 }, (_, i) => fixtureObject(`o${i}`, IMAGE))
const results = { LOC: objects, SEG: many, COUNT: 2, VQA: 'red', CROP: IMAGE, BGBLUR: IMAGE }

async function measure(name: string, text: string): Promise<void> {
  const program = parse(text)
  const once = (): Promise<{ steps: readonly unknown[] }> =>
    runProgram(program, {
      inputs: { IMAGE },
      call: async (tool) => ({ value: results[tool as keyof typeof results] }),
      signatures: FIXTURE_SIGNATURES,
      family: FAMILIES.open,
    })
  const cold = performance.now()
  const { length } = (await once()).steps
  const first = performance.now() - cold
  for (let i = 0; i < 10; i++) await once()
  const times: number[] = []
  for (let i = 0; i < 30; i++) {
    const start = performance.now()
    await once()
    times.push((performance.now() - start) / length)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const [median, worst] = [sorted[15] ?? 0, sorted.at(-1) ?? 0]
  console.log(
    `${name}: ${length} steps, ${median.toFixed(4)} ms a step (worst ${worst.toFixed(4)}; first run ${(first / length).toFixed(4)})`,
  )
}

await measure('straight', straight())
await measure('loop', looped)
