// Tags of a folder of pictures as a COCO file:  node export-coco.ts photos "Tag the cats and dogs" > tags.json
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openPupil, runDocument } from 'pupil'

const [folder = '.', instruction = 'Tag the people'] = process.argv.slice(2)
const files = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).sort()

const images: object[] = []
const annotations: object[] = []
const names: string[] = []
const categoryOf = (label: string): number =>
  names.includes(label) ? names.indexOf(label) + 1 : names.push(label)

const pupil = await openPupil()
try {
  for (const [index, file] of files.entries()) {
    const run = await pupil.tag(join(folder, file), instruction)
    const { inputs, tags = [], error } = runDocument(await pupil.runs.get(run.id))
    if (error !== undefined) throw new Error(`${file}: ${error.message}`)
    images.push({ id: index + 1, file_name: file, ...inputs.IMAGE?.original })
    for (const { label, box, score } of tags) {
      const [x1, y1, x2, y2] = box
      annotations.push({
        ...{ id: annotations.length + 1, image_id: index + 1, category_id: categoryOf(label) },
        ...{ bbox: [x1, y1, x2 - x1, y2 - y1], area: (x2 - x1) * (y2 - y1), iscrowd: 0, score },
      })
    }
  }
} finally {
  await pupil.close()
}
const categories = names.map((name, index) => ({ id: index + 1, name }))
console.log(JSON.stringify({ images, annotations, categories }, null, 2))
