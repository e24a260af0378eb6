import { useEffect, useMemo, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { maskPixels } from './mask.ts'
import type { Size } from './draw-box.ts'
import { PictureView } from './picture-view.tsx'
import { percentBox } from './regions.ts'
import type { Mask, Region } from './regions.ts'
import { words } from './words.ts'

interface Properties {
  readonly address: string
  readonly name: string
  /** Size of the original, in whose pixels the regions are; else that of the shown picture. */
  readonly size?: { readonly width: number; readonly height: number }
  readonly regions: readonly Region[]
  readonly busy: boolean
  /** What lies over the picture from `from` percent of its width on. */
  readonly over?: { readonly address: string; readonly from: number }
  /** Takes what is drawn on the picture, in its pixels. */
  readonly layer?: (size: Size) => ReactNode
  /** A thing that was found is taken up. */
  readonly onPick?: ((region: Region) => void) | undefined
  /** Stands over the picture. */
  readonly children?: ReactNode
}

/** A picture with what a step saw drawn over it. */
export function StagePicture(properties: Properties) {
  const { address, name, size, regions, busy, over, layer, onPick, children } = properties
  const [natural, setNatural] = useState({ width: 4, height: 3 })
  const whole = size ?? natural
  return (
    <div className={busy ? 'picture busy' : 'picture'} style={shape(whole)}>
      <PictureView>
        <img
          src={address}
          alt={name}
          onLoad={(event) => {
            const { naturalWidth, naturalHeight } = event.currentTarget
            setNatural({ width: naturalWidth, height: naturalHeight })
          }}
        />
        {over !== undefined && (
          <img
            className="picture-over"
            src={over.address}
            alt=""
            style={{ clipPath: `inset(0 0 0 ${over.from}%)` }}
          />
        )}
        <svg
          viewBox={`0 0 ${whole.width} ${whole.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {regions
            .filter((one) => one.kind === 'window')
            .map((one, index) => (
              <WindowShape key={index} box={one.box} whole={whole} />
            ))}
          {regions.map(
            (one, index) =>
              one.mask !== undefined && <MaskShape key={index} mask={one.mask} hue={index} />,
          )}
          {regions
            .filter((one) => one.kind !== 'window')
            .map((one, index) => (
              <BoxShape key={index} region={one} best={index === 0} />
            ))}
        </svg>
        <Labels {...{ regions, whole, onPick }} />
        {layer?.(whole)}
      </PictureView>
      {children}
    </div>
  )
}

interface LabelProperties extends Pick<Properties, 'regions' | 'onPick'> {
  readonly whole: Size
}

/** The names of what is drawn, each where it is; those found can be taken up to put them right. */
function Labels({ regions, whole, onPick }: LabelProperties) {
  return (
    <ul className="labels" aria-label={words.foundHere}>
      {regions
        .filter((one) => one.kind !== 'window')
        .map((one, index) => {
          const { left, top, width } = percentBox(one.box, whole)
          const place = left > 70 ? { right: `${100 - left - width}%` } : { left: `${left}%` }
          const text = (
            <>
              {one.label}
              {one.score !== null && <small>{one.score.toFixed(2)}</small>}
            </>
          )
          const isPicked = onPick !== undefined && one.kind === 'found'
          return (
            <li
              key={index}
              tabIndex={isPicked ? undefined : 0}
              className={`${one.kind}${index === 0 ? ' best' : ''}${top < 6 ? ' inside' : ''}`}
              style={{ top: `${top}%`, ...place }}
            >
              {isPicked ? (
                <button type="button" title={words.correct.pick} onClick={() => onPick(one)}>
                  {text}
                </button>
              ) : (
                text
              )}
            </li>
          )
        })}
    </ul>
  )
}

/** The picture's shape, for the browser and for the rule that keeps it on the screen. */
function shape({ width, height }: { width: number; height: number }): CSSProperties {
  const ratio: Record<string, number> = { '--ratio': width / height }
  return { aspectRatio: `${width} / ${height}`, ...ratio }
}

/** Everything but the part that a step looks at is dimmed. */
function WindowShape({
  box: [x1, y1, x2, y2],
  whole,
}: {
  box: Region['box']
  whole: { width: number; height: number }
}) {
  const outer = `M0 0H${whole.width}V${whole.height}H0Z`
  return (
    <>
      <path className="dim" fillRule="evenodd" d={`${outer}M${x1} ${y1}V${y2}H${x2}V${y1}Z`} />
      <rect className="window" x={x1} y={y1} width={x2 - x1} height={y2 - y1} />
    </>
  )
}

function BoxShape({ region: { box, kind }, best }: { region: Region; best: boolean }) {
  const [x1, y1, x2, y2] = box
  const place = { x: x1, y: y1, width: x2 - x1, height: y2 - y1 }
  return (
    <>
      <rect className="halo" {...place} />
      <rect className={`box ${kind}${best ? ' best' : ''}`} {...place} />
    </>
  )
}

const HUES: readonly (readonly [number, number, number])[] = [
  [255, 107, 107],
  [77, 171, 247],
  [105, 219, 124],
  [255, 212, 59],
  [218, 119, 242],
]

function MaskShape({ mask, hue }: { mask: Mask; hue: number }) {
  const address = useMaskAddress(mask, hue)
  const [x1, y1, x2, y2] = mask.box
  if (address === undefined) return null
  return (
    <image
      href={address}
      x={x1}
      y={y1}
      width={x2 - x1}
      height={y2 - y1}
      preserveAspectRatio="none"
    />
  )
}

function useMaskAddress(mask: Mask, hue: number): string | undefined {
  const [address, setAddress] = useState<string>()
  const pixels = useMemo(() => {
    const [r, g, b] = HUES[hue % HUES.length] ?? [255, 0, 0]
    return maskPixels(mask, [r, g, b, 72])
  }, [mask, hue])
  useEffect(() => {
    const [height, width] = mask.size
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0)
    setAddress(canvas.toDataURL())
  }, [mask, pixels])
  return address
}
