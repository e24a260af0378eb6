// Tools of another server of the Model Context Protocol in a program. The other server is Pupil itself here, so that
// the example runs anywhere:  node other-tools.ts picture.jpg pupil mcp
import { openExternalTools, openPupil } from 'pupil'

const [picture = 'picture.jpg', command = 'pupil', ...args] = process.argv.slice(2)

const other = await openExternalTools([
  {
    name: 'other',
    at: { command, args, env: { PUPIL_HOME: process.env.PUPIL_HOME ?? '' } },
    // Nothing else joins, whatever it offers.
    allow: ['LIST'],
  },
])
const pupil = await openPupil({ tools: other.tools })
try {
  const program = `
NAMES=OTHER_LIST(query='kinds of cats',max=5)
FINAL_RESULT=RESULT(var=NAMES)`
  const { outcome } = await pupil.run([picture], program)
  console.log(outcome.status === 'done' ? outcome.value : outcome)
} finally {
  await pupil.close()
  await other.close()
}
