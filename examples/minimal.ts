// Ask a question about a picture:  node minimal.ts picture.jpg "How many people are there?"
import { openPupil } from 'pupil'

const [picture = 'picture.jpg', question = 'How many people are there?'] = process.argv.slice(2)

const pupil = await openPupil()
try {
  const { outcome } = await pupil.ask(picture, question)
  console.log(outcome.status === 'done' ? outcome.answer : outcome)
} finally {
  await pupil.close()
}
