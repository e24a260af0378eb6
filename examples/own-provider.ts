// A language model of your own plans the steps: any server that speaks OpenAI's protocol. The one here is a stand-in
// that knows one plan by heart, so that the example runs anywhere; put your own address in its place.
import { openPupil } from 'pupil'
import { fakeOpenAiServer } from 'pupil/testing'

const PROGRAM = `HALF=CROP_LEFTOF(image=IMAGE,box=[[200,0,220,300]])
ANSWER=EVAL(expr="'a half'")
FINAL_RESULT=RESULT(var=ANSWER)`

const house = await fakeOpenAiServer(() => ({
  text: `Cut the picture in two, then answer.\n\n${PROGRAM}`,
  usage: { prompt: 900, completion: 40 },
}))

const [picture = 'picture.jpg'] = process.argv.slice(2)

const pupil = await openPupil({
  config: {
    models: { planner: 'openai-compatible/house-model' },
    providers: { 'openai-compatible': { baseURL: house.baseUrl } },
    replyCache: false,
  },
})
try {
  const { outcome, cost } = await pupil.ask(picture, 'What lies left of the line?')
  console.log(outcome.status === 'done' ? outcome.answer : outcome)
  console.log(`${cost.calls} calls, ${cost.tokens} tokens`)
} finally {
  await pupil.close()
  await house.close()
}
