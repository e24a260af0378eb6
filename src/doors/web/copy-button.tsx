import { useState } from 'react'
import { words } from './words.ts'

interface Properties {
  readonly text: () => string
  readonly label: string
}

export function CopyButton({ text, label }: Properties) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text())
    setCopied(true)
  }
  return (
    <button type="button" className="quiet" onClick={() => void copy()}>
      {copied ? words.copied : label}
    </button>
  )
}
