import { useEffect, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { pictureAddress } from './api.ts'
import { correctChat, readChats, removeChat } from './chat-api.ts'
import type { ChatHead } from './chat-api.ts'
import type { ChatTurn } from './chat-state.ts'
import { chosenFrom } from './picture-files.ts'
import { useChat } from './use-chat.ts'
import type { ChatTalk } from './use-chat.ts'
import { usePages } from './use-pages.ts'
import { VirtualList } from './virtual-list.tsx'
import { words } from './words.ts'
import './chat.css'

/** Conversations about pictures, in which the assistant picks skills. */
export function ChatPage() {
  const { items, more, again } = usePages<ChatHead>('/v1/chats?limit=50', readChats)
  const talk = useChat(again)
  const { chat, open } = talk
  return (
    <main className="screen chats" aria-label={words.screens.chat}>
      <section className="card chat-list" aria-label={words.chat.list}>
        <button type="button" onClick={() => void open(undefined)}>
          {words.chat.fresh}
        </button>
        <VirtualList
          {...{ items, onMore: more, height: 40, label: words.chat.list }}
          keyOf={({ id }) => id}
        >
          {({ id, title, turns }) => (
            <button
              type="button"
              className={id === chat?.id ? 'history-row on' : 'history-row'}
              onClick={() => void open(id)}
            >
              <span>{title === '' ? words.chat.untitled : title}</span>
              <small>{turns}</small>
            </button>
          )}
        </VirtualList>
      </section>
      <section className="card chat" aria-label={words.chat.title}>
        <Pictures talk={talk} />
        <Said talk={talk} />
        {talk.error !== undefined && (
          <p className="problem-line" role="alert">
            {talk.error.message} {talk.error.cure}
          </p>
        )}
        <Say talk={talk} />
        {chat !== undefined && (
          <button
            type="button"
            className="quiet chat-remove"
            onClick={() => {
              void removeChat(chat.id).then(() => {
                again()
                return open(undefined)
              })
            }}
          >
            {words.chat.remove}
          </button>
        )}
      </section>
    </main>
  )
}

interface Properties {
  readonly talk: ChatTalk
}

function Pictures({ talk: { chat, show, turn } }: Properties) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="chat-pictures">
      {chat?.pictures.map(({ name, image, madeBy }) => (
        <figure key={`${name} ${image}`}>
          <a href={pictureAddress(image)} target="_blank" rel="noreferrer">
            <img src={pictureAddress(image, 320)} alt={name} />
          </a>
          <figcaption>{madeBy === undefined ? name : words.chat.madeBy(name, madeBy)}</figcaption>
        </figure>
      ))}
      <button type="button" disabled={turn !== undefined} onClick={() => input.current?.click()}>
        {words.chat.show}
      </button>
      <input
        ref={input}
        className="hidden"
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={words.chat.show}
        onChange={({ target }) => {
          const [chosen] = chosenFrom(target.files)
          if (chosen?.file !== undefined) void show(chosen.file)
          target.value = ''
        }}
      />
    </div>
  )
}

function Said({ talk: { chat, turn, change } }: Properties) {
  const end = useRef<HTMLDivElement>(null)
  const said = chat?.said ?? []
  const length = said.length + (turn?.said.length ?? 0) + (turn?.calls.length ?? 0)
  useEffect(() => {
    // Its result, a promise in newer browsers, must not be taken for what ends the effect.
    void end.current?.scrollIntoView({ block: 'nearest' })
  }, [length])
  return (
    <div className="chat-said" role="log" aria-label={words.chat.said} tabIndex={0}>
      {said.length === 0 && turn === undefined && <p className="soft">{words.chat.empty}</p>}
      {said.map(({ role, text, calls = [], run, corrected }, at) => (
        <article key={at} className={`bubble ${role}`}>
          <p className="hidden">{words.chat.roles[role]}</p>
          {calls.length > 0 && <p className="soft">{words.chat.used(calls)}</p>}
          <p className="bubble-text">{text}</p>
          {corrected !== undefined && <p className="good">{words.chat.corrected(corrected)}</p>}
          {run !== undefined && (
            <a className="soft" href={`/v1/runs/${run}/rationale`} target="_blank" rel="noreferrer">
              {words.explanation}
            </a>
          )}
        </article>
      ))}
      {turn !== undefined && <Going turn={turn} />}
      {turn === undefined && said.at(-1)?.role === 'assistant' && (
        <Correct onCorrect={(value) => void change((id) => correctChat(id, value))} />
      )}
      <div ref={end} />
    </div>
  )
}

function Going({ turn: { asked, said, calls, thoughts, notes, pictures } }: { turn: ChatTurn }) {
  return (
    <>
      <article className="bubble user">
        <p className="bubble-text">{asked}</p>
      </article>
      <article className="bubble assistant">
        {thoughts !== '' && <p className="soft">{thoughts}</p>}
        {calls.map(({ skill, state, why }, at) => (
          <p key={at} className="soft">
            <b>{skill}</b> {why ?? words.chat.callStates[state]}
          </p>
        ))}
        {notes.map((note) => (
          <p key={note} className="soft">
            {note}
          </p>
        ))}
        {pictures.map((image) => (
          <img key={image} src={pictureAddress(image, 320)} alt={words.chat.made} />
        ))}
        {said === '' ? (
          <p className="working">
            <span className="spinner" aria-hidden="true" />
            {words.working}
          </p>
        ) : (
          <p className="bubble-text">{said}</p>
        )}
      </article>
    </>
  )
}

function Correct({ onCorrect }: { readonly onCorrect: (value: string) => void }) {
  const [text, setText] = useState<string>()
  if (text === undefined) {
    return (
      <button type="button" className="chip" onClick={() => setText('')}>
        {words.chat.wrong}
      </button>
    )
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '') return
    onCorrect(text.trim())
    setText(undefined)
  }
  return (
    <form className="chat-correct" onSubmit={submit}>
      <input
        className="field"
        autoFocus
        value={text}
        aria-label={words.correct.rightAnswer}
        placeholder={words.correct.rightAnswer}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit">{words.chat.note}</button>
    </form>
  )
}

function Say({ talk: { turn, say, stop } }: Properties) {
  const [text, setText] = useState('')
  const go = (): void => {
    if (text.trim() === '' || turn !== undefined) return
    void say(text.trim())
    setText('')
  }
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    go()
  }
  return (
    <form
      className="composer-row"
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <textarea
        rows={2}
        value={text}
        aria-label={words.chat.say}
        placeholder={words.chat.say}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={key}
      />
      {turn === undefined ? (
        <button key="go" type="submit" className="primary">
          {words.go}
        </button>
      ) : (
        <button key="stop" type="button" className="primary stop" onClick={() => void stop()}>
          {words.stop}
        </button>
      )}
    </form>
  )
}
