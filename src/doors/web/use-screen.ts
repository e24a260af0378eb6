import { useCallback, useEffect, useState } from 'react'

/** The page's screens; a run is shown at the desk. */
export type Screen = 'desk' | 'chat' | 'batch' | 'review' | 'memory'

export const SCREENS: readonly Screen[] = ['desk', 'chat', 'batch', 'review', 'memory']

/** Which screen an address means. */
export function screenAt(path: string): Screen {
  const name = path.slice(1)
  return SCREENS.find((one) => one !== 'desk' && one === name) ?? 'desk'
}

/** The screen, and how to go to another without loading the page anew. */
export function useScreen(): readonly [Screen, (path: string) => void] {
  const [screen, setScreen] = useState(() => screenAt(location.pathname))
  useEffect(() => {
    const show = (): void => setScreen(screenAt(location.pathname))
    addEventListener('popstate', show)
    return () => removeEventListener('popstate', show)
  }, [])
  const go = useCallback((path: string) => {
    history.pushState(null, '', path)
    setScreen(screenAt(path))
    scrollTo(0, 0)
  }, [])
  return [screen, go]
}
