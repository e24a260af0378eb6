import { useEffect } from 'react'

/**
 * Single letters that act anywhere on the page, except where something is written or a key is held with them.
 *
 * @param keys  what each does, by lower-case letter; the object may be new at every call
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const at = event.target instanceof HTMLElement ? event.target : undefined
      const isWriting = at?.matches('textarea, select, [contenteditable], [role="application"]')
      const isField = at?.matches('input:not([type="radio"], [type="checkbox"], [type="range"])')
      if (isWriting === true || isField === true) return
      const act = keys[event.key.toLowerCase()]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [keys])
}
