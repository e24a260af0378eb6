import { useRef, useState } from 'react'
import type { DragEvent } from 'react'
import type { Chosen } from './page-state.ts'
import { chosenFrom } from './picture-files.ts'
import { SAMPLES } from './samples.ts'
import type { Sample } from './samples.ts'
import { words } from './words.ts'

interface Properties {
  readonly onChoose: (pictures: readonly Chosen[], instruction?: string) => void
}

export function PictureChooser({ onChoose }: Properties) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const pictures = chosenFrom(event.dataTransfer.files)
    if (pictures.length > 0) onChoose(pictures)
  }
  const sample = async ({ name, address, instruction }: Sample): Promise<void> => {
    const blob = await (await fetch(address)).blob()
    onChoose([{ name, address, file: new File([blob], name, { type: blob.type }) }], instruction)
  }
  return (
    <div className="chooser">
      <div
        className={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <svg className="drop-mark" viewBox="0 0 64 48" aria-hidden="true">
          <rect x="3" y="3" width="58" height="42" rx="6" />
          <circle cx="19" cy="17" r="5" />
          <path d="M6 40 24 25l10 8 12-13 15 15" />
        </svg>
        <p className="drop-title">{words.dropTitle}</p>
        <p>
          {words.dropMore}{' '}
          <button type="button" className="link" onClick={() => input.current?.click()}>
            {words.choose}
          </button>
        </p>
        <input
          ref={input}
          className="hidden"
          type="file"
          accept="image/*"
          multiple
          aria-label={words.choose}
          onChange={(event) => onChoose(chosenFrom(event.target.files))}
        />
      </div>
      {SAMPLES.length > 0 && (
        <div className="samples">
          <h2>{words.samples}</h2>
          <ul>
            {SAMPLES.map((one) => (
              <li key={one.name}>
                <button type="button" className="sample" onClick={() => void sample(one)}>
                  <img src={one.address} alt="" loading="lazy" />
                  <span>{one.instruction}</span>
                  <small>{one.credit}</small>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
