import { t } from '@lingui/core/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, ChevronDown, Search } from 'lucide-react'
import { Popover } from 'radix-ui'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { classes } from '@/lib/classes'
import { Spinner } from './status'

export type ItemGroup<T> = { heading?: string; items: readonly T[] }

type ItemProps<T> = {
  getId: (item: T) => string
  renderItem: (item: T) => ReactNode
  onChoose: (item: T) => void
  /** The IDs of the chosen items. Without it, items are actions. */
  chosen?: readonly string[]
  multiple?: boolean
  /** Shown if nothing matches. */
  empty: string
  /** More items may come. */
  isLoading?: boolean
}

type SearchableListProps<T> = ItemProps<T> & {
  /** The accessible name of the search box. */
  label: string
  /** The accessible name of the list, if it's another one. */
  listLabel?: string
  listId?: string
  placeholder: string
  maxLength?: number
  search: string
  onSearch: (search: string) => void
  /** The items that match the search. */
  groups: readonly ItemGroup<T>[]
  size: keyof typeof SIZES
}

const SIZES = {
  menu: { box: 'px-2.5', input: 'h-9', list: 'max-h-72 p-1' },
  dialog: { box: '', input: 'input input-line', list: 'mt-2 h-72 max-h-[40dvh]' },
  palette: { box: 'px-4', input: 'h-12 text-lg', list: 'max-h-[min(60dvh,26rem)] p-1.5' },
} as const

const ROW = 36
const PAGE = 8
/** What terminals and editors on macOS use in place of arrow keys. */
const CONTROL_KEYS: Record<string, string> = {
  n: 'ArrowDown',
  j: 'ArrowDown',
  p: 'ArrowUp',
  k: 'ArrowUp',
}

/**
 * A list under a search box. The box keeps focus: arrow keys move through the list, and Enter chooses. After a search,
 * that's the first match. Only visible rows are rendered.
 */
export function SearchableList<T>({
  label,
  listLabel = label,
  listId,
  placeholder,
  maxLength,
  search,
  onSearch,
  groups,
  getId,
  renderItem,
  onChoose,
  chosen,
  multiple,
  empty,
  isLoading,
  size,
}: SearchableListProps<T>) {
  const ownId = useId()
  const id = listId ?? ownId
  const rows = groups.flatMap(({ heading, items }, group) => [
    ...(heading !== undefined && items.length > 0 ? [{ group, heading }] : []),
    ...items.map(item => ({ group, item })),
  ])
  const items = rows.flatMap((row, index) => ('item' in row ? [{ item: row.item, row: index }] : []))
  const firstId = items[0] && getId(items[0].item)
  const [active, setActive] = useState({ search, id: (size === 'menu' && chosen?.[0]) || firstId })
  // Results that arrive later don't change which item is active.
  if (active.search !== search || (active.id === undefined && firstId !== undefined))
    setActive({ search, id: firstId })
  const position = Math.max(
    0,
    items.findIndex(({ item }) => getId(item) === active.id),
  )
  const activeRow = items[position]?.row

  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    // One row around the active one, which may be a heading.
    scrollPaddingStart: ROW,
    scrollPaddingEnd: ROW,
    initialOffset: Math.max(0, ((activeRow ?? 0) - 3) * ROW),
  })
  const shownSearch = useRef(search)
  useEffect(() => {
    if (shownSearch.current !== search) scroller.current?.scrollTo({ top: 0 })
    shownSearch.current = search
  }, [search])

  const move = (to: number) => {
    const next = items[to]
    if (next === undefined) return
    setActive({ search, id: getId(next.item) })
    virtual.scrollToIndex(next.row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = items.length - 1
    const moves: Record<string, number> = {
      ArrowDown: position === last ? 0 : position + 1,
      ArrowUp: position === 0 ? last : position - 1,
      PageDown: Math.min(position + PAGE, last),
      PageUp: Math.max(position - PAGE, 0),
      Home: 0,
      End: last,
    }
    const to = moves[(event.ctrlKey && CONTROL_KEYS[event.key]) || event.key]
    if (to !== undefined) {
      event.preventDefault()
      move(to)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      const current = items[position]
      if (current) onChoose(current.item)
    }
  }

  const renderRow = ({ index, start }: { index: number; start: number }) => {
    const row = rows[index]
    if (row === undefined) return null
    const place = {
      ref: virtual.measureElement,
      'data-index': index,
      style: { transform: `translateY(${start}px)` },
    }
    if (!('item' in row))
      return (
        <div
          key={`heading ${row.group}`}
          {...place}
          aria-hidden="true"
          className="absolute inset-x-0 top-0 px-2 pt-2 pb-1 text-muted text-xs"
        >
          {row.heading}
        </div>
      )
    const itemId = getId(row.item)
    const isActive = index === activeRow
    const isChosen = chosen?.includes(itemId)
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: focus stays in the search box, which handles the keys.
      <div
        key={itemId}
        {...place}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen ?? isActive}
        aria-setsize={items.length}
        aria-posinset={items.findIndex(each => each.row === index) + 1}
        className={classes(
          'absolute inset-x-0 top-0 flex min-h-9 cursor-pointer select-none items-center gap-2.5 rounded-md px-2 py-1 pointer-coarse:min-h-11',
          isActive && 'bg-selected',
        )}
        onPointerMove={() => !isActive && setActive({ search, id: itemId })}
        onPointerDown={event => event.preventDefault()}
        onClick={() => onChoose(row.item)}
      >
        {renderItem(row.item)}
        {chosen && <Check className={classes('ms-auto shrink-0 text-accent', !isChosen && 'invisible')} />}
      </div>
    )
  }

  const shown = virtual.getVirtualItems()
  const { box, input, list } = SIZES[size]
  return (
    <>
      <div className={classes(size !== 'dialog' && 'flex items-center gap-2.5 border-line border-b', box)}>
        {size !== 'dialog' && <Search className="shrink-0 text-muted" />}
        <input
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={activeRow === undefined ? undefined : `${id}-${activeRow}`}
          placeholder={placeholder}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className={classes(
            size !== 'dialog' && 'w-full bg-transparent outline-none pointer-coarse:min-h-11',
            input,
          )}
          value={search}
          onChange={event => onSearch(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={scroller} className={classes('overflow-y-auto', list)}>
        <div role="status">
          {items.length === 0 &&
            (isLoading ? (
              <span className="flex justify-center py-6">
                <Spinner />
              </span>
            ) : (
              <p className="px-2 py-6 text-center text-muted">{empty}</p>
            ))}
        </div>
        <div
          id={id}
          role="listbox"
          aria-label={listLabel}
          aria-multiselectable={multiple}
          aria-busy={isLoading}
          tabIndex={-1}
          className="relative"
          style={{ height: virtual.getTotalSize() }}
        >
          {groups.map(({ heading }, group) => {
            const own = shown.filter(({ index }) => rows[index]?.group === group).map(renderRow)
            if (heading === undefined || own.length === 0) return own
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be in a listbox
              <div key={heading} role="group" aria-label={heading}>
                {own}
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

/** Connect the button to its label, help, and error. */
export type ComboboxAttributes = ComponentProps<'button'> & { id: string }

type ComboboxProps<T> = ItemProps<T> & {
  attributes: ComboboxAttributes
  ref?: ComponentProps<'button'>['ref']
  /** The accessible name of the list. */
  label: string
  /** What is chosen. */
  text: string | undefined
  /** Shown if nothing is chosen. */
  placeholder: string
  getGroups: (search: string) => readonly ItemGroup<T>[]
  className?: string
}

/** A button that shows what is chosen, and opens a searchable list. With `multiple`, the list stays open. */
export function Combobox<T>({
  attributes,
  ref,
  label,
  text,
  placeholder,
  getGroups,
  className,
  onChoose,
  ...rest
}: ComboboxProps<T>) {
  const [isOpen, setOpen] = useState(false)
  const { id, 'aria-labelledby': labelId = `${id}-label` } = attributes
  const listId = `${id}-options`
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button
          {...attributes}
          ref={ref}
          type="button"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-haspopup="listbox"
          aria-labelledby={`${labelId} ${id}-value`}
          className={classes(
            'input input-line flex items-center gap-2 text-start not-disabled:hover:bg-sunken',
            className,
          )}
        >
          <span
            id={`${id}-value`}
            dir="auto"
            className={classes('min-w-0 flex-1 truncate', text === undefined && 'text-muted')}
          >
            {text ?? placeholder}
          </span>
          <ChevronDown className="shrink-0 text-muted" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={labelId}
          className="z-50 w-(--radix-popover-trigger-width) min-w-56 rounded-lg bg-raised shadow-float"
        >
          <Options
            {...rest}
            listId={listId}
            label={t`Search options for ${label}`}
            listLabel={label}
            getGroups={getGroups}
            onChoose={item => {
              onChoose(item)
              if (!rest.multiple) setOpen(false)
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

type OptionsProps<T> = Pick<SearchableListProps<T>, 'label' | 'listLabel' | 'listId'> &
  ItemProps<T> &
  Pick<ComboboxProps<T>, 'getGroups'>

/** Each time the list is opened, its search starts empty. */
function Options<T>({ getGroups, ...rest }: OptionsProps<T>) {
  const [search, setSearch] = useState('')
  return (
    <SearchableList
      {...rest}
      size="menu"
      placeholder={t`Search`}
      search={search}
      onSearch={setSearch}
      groups={getGroups(search)}
    />
  )
}
