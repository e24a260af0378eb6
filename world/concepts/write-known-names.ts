import { writeFile } from 'node:fs/promises'
import { knownNames, KNOWN_NAMES } from './known-names.ts'

// `npm run world:names`: the known names for the starter tools, which may not read the world itself.
await writeFile(KNOWN_NAMES, `${JSON.stringify(await knownNames())}\n`)
