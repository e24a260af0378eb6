import { useState } from 'react'
import { pictureAddress } from './api.ts'
import type { Example } from './correct-api.ts'
import { words } from './words.ts'

interface Properties {
  readonly example: Example
  readonly ticked?: boolean
  /** Only the picture. */
  readonly bare?: boolean
  /** Without it the example can only be looked at. */
  readonly onTick?: (() => void) | undefined
}

/** The part of a picture that an example is, with its name. */
export function ExampleCrop({ example, ticked = true, bare = false, onTick }: Properties) {
  const { kind, concept, positive, answer } = example
  const name = kind === 'answer' ? `${concept} ${answer ?? ''}` : words.example(concept, positive)
  if (bare) return <Crop example={example} />
  const inside = (
    <>
      <Crop example={example} />
      <span className={positive ? 'example-name' : 'example-name not'}>{name}</span>
    </>
  )
  if (onTick === undefined) return <span className="example">{inside}</span>
  return (
    <label className={ticked ? 'example' : 'example off'}>
      <input type="checkbox" checked={ticked} onChange={onTick} />
      {inside}
    </label>
  )
}

/** A picture scaled and moved under a window; the size comes with the picture. */
function Crop({ example: { picture, box, concept } }: { readonly example: Example }) {
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>()
  const [x1, y1, x2, y2] = box ?? [0, 0, size?.width ?? 4, size?.height ?? 3]
  return (
    <svg
      className="crop"
      viewBox={`${x1} ${y1} ${Math.max(1, x2 - x1)} ${Math.max(1, y2 - y1)}`}
      role="img"
      aria-label={concept}
    >
      <image
        href={pictureAddress(picture)}
        width={size?.width}
        height={size?.height}
        onLoad={({ currentTarget }) => {
          const { width, height } = currentTarget.getBBox()
          if (size === undefined) setSize({ width, height })
        }}
      />
    </svg>
  )
}
