import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Input } from '@/components/input'
import { Keys } from '@/components/keys'

const PAUSE = 200

type Props = {
  q: string | undefined
  onSearch: (q: string | undefined) => void
  onLeave: () => void
  input: RefObject<HTMLInputElement | null>
}

/** Searches names and messages as one types. */
export function SessionSearch({ q, onSearch, onLeave, input }: Props) {
  const [text, setText] = useState(q ?? '')
  const asked = useRef(q ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The address changed by other means.
  useEffect(() => {
    if ((q ?? '') === asked.current) return
    asked.current = q ?? ''
    clearTimeout(timer.current)
    setText(q ?? '')
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])

  const ask = (words: string) => {
    clearTimeout(timer.current)
    asked.current = words
    onSearch(words || undefined)
  }
  const type = (words: string) => {
    setText(words)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => ask(words.trim()), PAUSE)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      if (text) {
        setText('')
        ask('')
      } else input.current?.blur()
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault()
      if (text.trim() !== asked.current) ask(text.trim())
      onLeave()
    }
  }
  return (
    <search className="relative">
      <Search
        size={14}
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 text-muted"
      />
      <Input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search sessions"
        placeholder="Search names and messages"
        value={text}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={event => type(event.target.value)}
        onKeyDown={onKeyDown}
        className="peer border-line! bg-canvas! pr-8 pl-8"
      />
      {text ? (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            setText('')
            ask('')
          }}
          className="absolute top-0 right-0 grid h-full w-8 place-items-center rounded-md text-muted hover:text-ink max-md:w-11"
        >
          <X size={14} aria-hidden="true" />
        </button>
      ) : (
        <Keys
          keys="/"
          className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2 text-muted peer-focus:hidden max-md:hidden"
        />
      )}
    </search>
  )
}
