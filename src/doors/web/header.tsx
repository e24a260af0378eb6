import { useEffect, useState } from 'react'
import logo from './pupil.svg'
import { SCREENS } from './use-screen.ts'
import type { Screen } from './use-screen.ts'
import { words } from './words.ts'

type Theme = keyof typeof words.themes
const ORDER: readonly Theme[] = ['auto', 'light', 'dark']
const ICONS: Readonly<Record<Theme, string>> = { auto: '◐', light: '☀', dark: '☾' }

interface Properties {
  readonly screen: Screen
  /** Where the desk was left. */
  readonly desk: string
  readonly onGo: (path: string) => void
}

export function Header({ screen, desk, onGo }: Properties) {
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
      <nav className="top-nav" aria-label={words.navigation}>
        <ul>
          {SCREENS.map((one) => {
            const path = one === 'desk' ? desk : `/${one}`
            return (
              <li key={one}>
                <a
                  href={path}
                  aria-current={one === screen ? 'page' : undefined}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return
                    event.preventDefault()
                    onGo(path)
                  }}
                >
                  {words.screens[one]}
                </a>
              </li>
            )
          })}
        </ul>
      </nav>
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
