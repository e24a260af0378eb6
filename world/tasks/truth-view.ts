import type { Image } from '../../src/image/index.ts'
import type { Scene } from '../types.ts'

/** What of a scene a picture shows: the objects wholly in view, in the picture's own pixels. */
export function inView(scene: Scene, image: Pick<Image, 'frame'>): Scene {
  const { frame } = image
  const [left, top] = [frame.x, frame.y]
  const objects = scene.objects.flatMap((one) => {
    const [x1, y1, x2, y2] = one.box
    const box = [x1 - left, y1 - top, x2 - left, y2 - top] as const
    const inside = box[0] >= 0 && box[1] >= 0 && box[2] <= frame.width && box[3] <= frame.height
    return inside ? [{ ...one, box }] : []
  })
  const ids = new Set(objects.map(({ id }) => id))
  return {
    ...scene,
    width: frame.width,
    height: frame.height,
    objects,
    relations: scene.relations.filter(({ subject, object }) => ids.has(subject) && ids.has(object)),
  }
}
