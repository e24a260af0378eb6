import { DEVELOPMENT_STYLE, loadSprites, TRAIN_STYLES } from './load-sprites.ts'

// `npm run world:sprites [FOLDER]`: builds the sprites of the training and development styles, which
// otherwise happens at first use.
const [folder = '.cache/sprites'] = process.argv.slice(2)
for (const style of [...TRAIN_STYLES, DEVELOPMENT_STYLE]) {
  const sprites = await loadSprites([style], folder, {})
  console.log(`${style}: ${sprites.length} drawings`)
}
