import { t } from '@lingui/core/macro'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Input } from './input'
import { ShortcutKeys } from './shortcut-keys'

/** The longest pause between two keystrokes of one search, in milliseconds. */
const SEARCH_DELAY = 150

type Props = {
  /** The accessible name. */
  label: string
  placeholder: string
  q: string | undefined
  onSearch: (q: string | undefined) => void
  /** Moves focus from the box to the list. */
  onLeave: () => void
  input: RefObject<HTMLInputElement | null>
}

/** Searches while the member types. */
export function SearchBox({ label, placeholder, q, onSearch, onLeave, input }: Props) {
  const [text, setText] = useState(q ?? '')
  const asked = useRef(q ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // The URL changed in another way: the back button, or a link elsewhere on the page.
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
    timer.current = setTimeout(() => ask(words.trim()), SEARCH_DELAY)
  }
  const clear = () => {
    setText('')
    ask('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      if (text) clear()
      else input.current?.blur()
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault()
      if (text.trim() !== asked.current) ask(text.trim())
      onLeave()
    }
  }
  return (
    <search className="relative">
      <Search className="icon-small pointer-events-none absolute top-1/2 start-2.5 -translate-y-1/2 text-muted" />
      <Input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={event => type(event.target.value)}
        onKeyDown={onKeyDown}
        className="peer border-line bg-canvas ps-8 pe-8"
      />
      {text ? (
        <button
          type="button"
          aria-label={t`Clear search`}
          onClick={clear}
          className="absolute end-0 top-0 grid h-full w-8 place-items-center rounded-md text-muted hover:text-ink pointer-coarse:min-w-11"
        >
          <X className="icon-small" />
        </button>
      ) : (
        <ShortcutKeys
          keys="/"
          className="pointer-events-none absolute end-2 top-1/2 -translate-y-1/2 text-muted peer-focus:hidden max-md:hidden"
        />
      )}
    </search>
  )
}
