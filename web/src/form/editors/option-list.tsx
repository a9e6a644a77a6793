import { t } from '@lingui/core/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { classes } from '@/lib/classes'
import type { Option } from '../types'
import { filterOptions } from './filter-options'

type Props = {
  id: string
  label: string
  options: readonly Option[]
  chosen: readonly string[]
  multiple: boolean
  onToggle: (id: string) => void
}

const ROW = 36
const PAGE = 8

/** A list of options under a search box. The box keeps focus; only visible rows are rendered. */
export function OptionList({ id, label, options, chosen, multiple, onToggle }: Props) {
  const [search, setSearch] = useState('')
  const found = filterOptions(options, search)
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex(option => option.id === chosen[0]),
    ),
  )
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    initialOffset: Math.max(0, (active - 3) * ROW),
  })
  const isChosen = new Set(chosen)

  const move = (to: number) => {
    const next = Math.min(Math.max(to, 0), found.length - 1)
    setActive(next)
    if (next >= 0) rows.scrollToIndex(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + PAGE,
      PageUp: active - PAGE,
      Home: 0,
      End: found.length - 1,
    }
    const to = moves[event.key]
    if (to !== undefined) {
      event.preventDefault()
      move(to)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      const option = found[active]
      if (option) onToggle(option.id)
    }
  }

  return (
    <>
      <div className="flex items-center gap-2 border-line border-b px-2.5">
        <Search className="shrink-0 text-muted" />
        <input
          role="combobox"
          aria-label={t`Search options for ${label}`}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
          placeholder={t`Search`}
          className="h-9 w-full bg-transparent outline-none pointer-coarse:min-h-11"
          value={search}
          onChange={event => {
            setSearch(event.target.value)
            setActive(0)
            scroller.current?.scrollTo({ top: 0 })
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={scroller} className="max-h-72 overflow-y-auto p-1">
        {found.length === 0 && <p className="px-2 py-1.5 text-muted">{t`No matching options`}</p>}
        <div
          id={id}
          role="listbox"
          aria-label={label}
          aria-multiselectable={multiple}
          tabIndex={-1}
          className="relative"
          style={{ height: rows.getTotalSize() }}
        >
          {rows.getVirtualItems().map(row => {
            const option = found[row.index]
            if (option === undefined) return null
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: focus stays in the search box, which handles the keys.
              <div
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                id={`${id}-${row.index}`}
                role="option"
                tabIndex={-1}
                aria-selected={isChosen.has(option.id)}
                aria-setsize={found.length}
                aria-posinset={row.index + 1}
                style={{ transform: `translateY(${row.start}px)` }}
                className={classes(
                  'absolute inset-x-0 top-0 flex min-h-9 cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1 pointer-coarse:min-h-11',
                  row.index === active && 'bg-selected',
                )}
                onPointerMove={() => setActive(row.index)}
                onPointerDown={event => event.preventDefault()}
                onClick={() => onToggle(option.id)}
              >
                <Check className={classes('shrink-0 text-accent', !isChosen.has(option.id) && 'invisible')} />
                <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
                  {option.label || option.id}
                </span>
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}
