// Everything that ships works without a network; here every way to it is shut first.
import { Socket } from 'node:net'
import { openPupil } from 'pupil'

const shut = (): never => {
  throw new Error('somebody wanted to reach the network')
}
globalThis.fetch = shut
Socket.prototype.connect = shut

const [picture = 'picture.jpg', question = 'How many people are there?'] = process.argv.slice(2)

const pupil = await openPupil()
try {
  const { outcome, models } = await pupil.ask(picture, question)
  console.log(outcome.status === 'done' ? outcome.answer : outcome)
  console.log(`by ${models.map((model) => model.name).join(', ')}`)
} finally {
  await pupil.close()
}
