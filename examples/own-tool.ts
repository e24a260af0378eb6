// A tool of your own: its signature is all that programs, checks, prompts and doors know of it.
import { openPupil } from 'pupil'
import type { Image, Tool } from 'pupil'

const brightness: Tool = {
  signature: {
    name: 'BRIGHTNESS',
    args: [{ name: 'image', type: 'image', about: 'the picture' }],
    out: 'number',
    families: ['gqa'],
    about: 'Measures how bright a picture is, from 0 for black to 100 for white.',
  },
  run: ({ image }) => {
    const { data } = image as Image
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length
    return Promise.resolve({ value: Math.round((mean / 255) * 100) })
  },
}

const program = `
LEFT_HALF=CROP(image=IMAGE,box=[[0,0,200,300]])
B=BRIGHTNESS(image=LEFT_HALF)
WORD=EVAL(expr="'bright' if {B} > 50 else 'dark'")
FINAL_RESULT=RESULT(var=WORD)`

const [picture = 'picture.jpg'] = process.argv.slice(2)

const pupil = await openPupil({ tools: [brightness] })
try {
  const { outcome } = await pupil.run([picture], program)
  console.log(outcome.status === 'done' ? outcome.value : outcome)
} finally {
  await pupil.close()
}
