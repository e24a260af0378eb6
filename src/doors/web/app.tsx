import { lazy, Suspense } from 'react'
import { Desk } from './desk.tsx'
import { Header } from './header.tsx'
import { Toast, useNotes } from './toast.tsx'
import { useBatch } from './use-batch.ts'
import { usePage } from './use-run.ts'
import { useScreen } from './use-screen.ts'
import { words } from './words.ts'

// Fetched when they are gone to; the first screen does not wait for them.
const MemoryPage = lazy(async () => ({ default: (await import('./memory-page.tsx')).MemoryPage }))
const ChatPage = lazy(async () => ({ default: (await import('./chat-page.tsx')).ChatPage }))
const BatchPage = lazy(async () => ({ default: (await import('./batch-page.tsx')).BatchPage }))
const ReviewPage = lazy(async () => ({ default: (await import('./review-page.tsx')).ReviewPage }))

export function App() {
  const desk = usePage()
  const notes = useNotes()
  const batch = useBatch()
  const [screen, go] = useScreen()
  const { state, open } = desk
  const { run } = state
  const goTo = (path: string): void => {
    go(path)
    const other = /^\/runs\/(\w+)$/.exec(path)?.[1]
    if (other !== undefined && other !== run) void open(other)
  }
  return (
    <>
      <Header {...{ screen }} desk={run === undefined ? '/' : `/runs/${run}`} onGo={goTo} />
      <Suspense fallback={<p className="screen soft">{words.loading}</p>}>
        {screen === 'desk' && <Desk {...{ desk, notes }} />}
        {screen === 'chat' && <ChatPage />}
        {screen === 'batch' && <BatchPage batch={batch} onGo={goTo} />}
        {screen === 'review' && <ReviewPage onGo={goTo} />}
        {screen === 'memory' && <MemoryPage notes={notes} />}
      </Suspense>
      <Toast notes={notes} />
    </>
  )
}
