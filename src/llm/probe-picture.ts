import type { Box, Image } from '../image/index.ts'

/** Colours that have one plain name each. */
export const PROBE_COLOURS = {
  red: [220, 30, 30],
  green: [30, 160, 60],
  blue: [40, 70, 220],
  yellow: [240, 220, 40],
  orange: [245, 140, 20],
  purple: [130, 40, 160],
} as const satisfies Readonly<Record<string, readonly [number, number, number]>>

export type ProbeColour = keyof typeof PROBE_COLOURS

/** Bars of a seven-segment digit: top, upper left, upper right, middle, lower left, lower right, bottom. */
const SEGMENTS: readonly string[] = [
  ...['1110111', '0010010', '1011101', '1011011', '0111010'],
  ...['1101011', '1101111', '1010010', '1111111', '1111011'],
]

/** Each bar in a cell of 6 x 10 units. */
const BARS: readonly Box[] = [
  [0, 0, 6, 1],
  [0, 0, 1, 5],
  [5, 0, 6, 5],
  [0, 4.5, 6, 5.5],
  [0, 5, 1, 10],
  [5, 5, 6, 10],
  [0, 9, 6, 10],
]

const UNIT = 20

/** A picture of 640 x 320 pixels: a number in large black digits on one colour. */
export async function numberPicture(digits: string, colour: ProbeColour): Promise<Image> {
  const boxes = [...digits].flatMap((digit, place) =>
    BARS.filter((_, bar) => SEGMENTS[Number(digit)]?.[bar] === '1').map((box) =>
      placed(box, 80 + place * 9 * UNIT, 60),
    ),
  )
  return paint({ width: 640, height: 320 }, PROBE_COLOURS[colour], boxes, [0, 0, 0])
}

/** A white picture of 800 x 500 pixels with one red box; its place differs in every known frame. */
export async function boxPicture(): Promise<{ image: Image; box: Box }> {
  const box: Box = [520, 100, 680, 220]
  const size = { width: 800, height: 500 }
  return { image: await paint(size, [255, 255, 255], [box], PROBE_COLOURS.red), box }
}

function placed([x1, y1, x2, y2]: Box, left: number, top: number): Box {
  return [left + x1 * UNIT, top + y1 * UNIT, left + x2 * UNIT, top + y2 * UNIT]
}

async function paint(
  { width, height }: { width: number; height: number },
  ground: readonly [number, number, number],
  boxes: readonly Box[],
  ink: readonly [number, number, number],
): Promise<Image> {
  const { createImage } = await import('../image/index.ts')
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < data.length; i += 3) data.set(ground, i)
  for (const [x1, y1, x2, y2] of boxes) {
    for (let y = y1; y < y2; y++) {
      for (let x = x1; x < x2; x++) data.set(ink, (y * width + x) * 3)
    }
  }
  return createImage(data, width, height)
}
