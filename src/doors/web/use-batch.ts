import { useEffect, useState, useSyncExternalStore } from 'react'
import { askAndWait } from './api.ts'
import { createBatch } from './batch.ts'
import type { Batch } from './batch.ts'

/** The page's batch: it goes on while other parts of the page are looked at. */
export function useBatch(): Batch {
  const [batch] = useState(() => createBatch(askAndWait))
  const { isGoing } = useSyncExternalStore(batch.subscribe, batch.state)
  useEffect(() => {
    if (!isGoing) return undefined
    // Leaving would end it; the browser asks first.
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [isGoing])
  return batch
}
