import { useState } from 'react'
import { pictureAddress } from './api.ts'
import { cardView } from './review.ts'
import type { ReviewCard, ReviewVerdict } from './review.ts'
import { useKeys } from './use-keys.ts'
import { useReview } from './use-review.ts'
import type { Decided } from './use-review.ts'
import { words } from './words.ts'
import './review.css'

const VERDICTS: readonly ReviewVerdict[] = ['same', 'different', 'unsure']
const KEYS: Readonly<Record<ReviewVerdict, string>> = { same: 'A', different: 'X', unsure: 'S' }
const MARKS: Readonly<Record<ReviewVerdict, string>> = { same: '✓', different: '✗', unsure: '?' }

/** What was found, to be looked over: the most uncertain first. */
export function ReviewPage({ onGo }: { readonly onGo: (path: string) => void }) {
  const { cards, decided, error, decide, undo } = useReview()
  const [at, setAt] = useState(0)
  const last = Math.max(0, (cards?.length ?? 0) - 1)
  const place = Math.min(at, last)
  const card = cards?.[place]
  const say = (verdict: ReviewVerdict) => () => {
    if (card !== undefined) decide(card, verdict)
  }
  useKeys({
    ...{ '1': say('same'), '2': say('different'), '3': say('unsure') },
    ...{ a: say('same'), x: say('different'), s: say('unsure') },
    ...{ j: () => setAt(Math.min(last, place + 1)), k: () => setAt(Math.max(0, place - 1)) },
    z: decided.length === 0 ? undefined : () => undo(),
  })
  return (
    <main className="screen review" aria-label={words.screens.review}>
      {error !== undefined && (
        <p className="card problem-line" role="alert">
          {error.message}
        </p>
      )}
      {cards === undefined && error === undefined && <p className="soft">{words.loading}</p>}
      {cards?.length === 0 && <p className="card soft">{words.review.none}</p>}
      {card !== undefined && cards !== undefined && (
        <section className="card review-card" aria-label={words.review.title}>
          <p className="soft" role="status">
            {words.review.left(cards.length)}
          </p>
          <Thing card={card} />
          <h2 className="review-question">{words.review.question(card.label)}</h2>
          <p className="soft">
            {card.score !== null && words.review.score(card.score)}
            {card.alike > 0 && ` ${words.review.alike(card.alike)}`}{' '}
            <a
              href={`/runs/${card.run}`}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                onGo(`/runs/${card.run}`)
              }}
            >
              {words.review.run}
            </a>
          </p>
          <div className="judge">
            {VERDICTS.map((verdict) => (
              <button
                key={verdict}
                type="button"
                aria-keyshortcuts={KEYS[verdict].toLowerCase()}
                onClick={say(verdict)}
              >
                <span aria-hidden="true">{MARKS[verdict]}</span> {words.review.verdicts[verdict]}{' '}
                <kbd aria-hidden="true">{KEYS[verdict]}</kbd>
              </button>
            ))}
          </div>
          <p className="soft keys">{words.review.keys}</p>
        </section>
      )}
      {decided.length > 0 && <Latest decided={decided} onUndo={undo} />}
    </main>
  )
}

/** The thing in its box, with what is around it. */
function Thing({ card }: { readonly card: ReviewCard }) {
  const { box, size, picture, label } = card
  const [x1, y1, x2, y2] = cardView(card)
  const place = { x: box[0], y: box[1], width: box[2] - box[0], height: box[3] - box[1] }
  return (
    <svg
      className="picture review-thing"
      viewBox={`${x1} ${y1} ${x2 - x1} ${y2 - y1}`}
      role="img"
      aria-label={words.review.thing(label)}
    >
      <image href={pictureAddress(picture)} {...size} preserveAspectRatio="none" />
      <rect className="halo" {...place} />
      <rect className="box best" {...place} />
    </svg>
  )
}

interface LatestProperties {
  readonly decided: readonly Decided[]
  readonly onUndo: (one: Decided) => void
}

function Latest({ decided, onUndo }: LatestProperties) {
  return (
    <section className="card" aria-label={words.review.latest}>
      <h2>{words.review.latest}</h2>
      <ul className="latest">
        {decided.map((one) => (
          <li key={one.card.key}>
            <span>
              <b>{one.card.label}</b>: {words.review.verdicts[one.verdict]}
            </span>
            <small className="soft">
              {one.error?.message ?? one.lesson?.reason ?? words.review.states[one.state]}
            </small>
            {one.state !== 'undone' && (
              <button type="button" className="chip" onClick={() => onUndo(one)}>
                {words.undo}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
