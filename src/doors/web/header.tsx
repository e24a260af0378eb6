import { useEffect, useState } from 'react'
import logo from './pupil.svg'
import { words } from './words.ts'

type Theme = keyof typeof words.themes
const ORDER: readonly Theme[] = ['auto', 'light', 'dark']
const ICONS: Readonly<Record<Theme, string>> = { auto: '◐', light: '☀', dark: '☾' }

export function Header() {
  const [theme, setTheme] = useState<Theme>(
    () => (localStorage.getItem('theme') as Theme | null) ?? 'auto',
  )
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }, [theme])
  const next = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'auto'
  return (
    <header className="top">
      <h1>
        <a className="top-name" href="/">
          <img src={logo} alt="" width="32" height="32" />
          <span>{words.title}</span>
        </a>
      </h1>
      <p className="top-line">{words.tagline}</p>
      <button
        type="button"
        className="quiet round"
        title={`${words.theme}: ${words.themes[theme]}`}
        aria-label={`${words.theme}: ${words.themes[theme]}`}
        onClick={() => setTheme(next)}
      >
        <span aria-hidden="true">{ICONS[theme]}</span>
      </button>
    </header>
  )
}
