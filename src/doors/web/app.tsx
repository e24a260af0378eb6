import { lazy, Suspense } from 'react'
import { Desk } from './desk.tsx'
import { Header } from './header.tsx'
import { Toast, useNotes } from './toast.tsx'
import { usePage } from './use-run.ts'
import { useScreen } from './use-screen.ts'
import { words } from './words.ts'

// Fetched when they are gone to; the first screen does not wait for them.
const MemoryPage = lazy(async () => ({ default: (await import('./memory-page.tsx')).MemoryPage }))

export function App() {
  const desk = usePage()
  const notes = useNotes()
  const [screen, go] = useScreen()
  const { run } = desk.state
  return (
    <>
      <Header {...{ screen }} desk={run === undefined ? '/' : `/runs/${run}`} onGo={go} />
      <Suspense fallback={<p className="screen soft">{words.loading}</p>}>
        {screen === 'desk' && <Desk {...{ desk, notes }} />}
        {screen === 'memory' && <MemoryPage notes={notes} />}
      </Suspense>
      <Toast notes={notes} />
    </>
  )
}
