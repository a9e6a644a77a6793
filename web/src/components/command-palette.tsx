import { t } from '@lingui/core/macro'
import { Dialog } from 'radix-ui'
import { type ReactNode, useEffect, useState } from 'react'
import { matchesSearch, toSearchable } from '@/lib/matches-search'
import { SearchableList } from './combobox'
import { ShortcutKeys } from './shortcut-keys'

export type PaletteItem = {
  id: string
  label: string
  /** More words that find it. */
  also?: string
  detail?: string
  icon?: ReactNode
  keys?: string
  /** The service found it, maybe by words that aren't shown. */
  isFound?: boolean
  run: () => void
}

export type PaletteGroup = { heading: string; items: readonly PaletteItem[] }

type Props = {
  onClose: () => void
  groups: readonly PaletteGroup[]
  /** Searches the service. */
  find: (words: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>
  foundHeading: string
}

const SEARCH_DELAY = 150

/** Finds every action and page by a part of its name. */
export function CommandPalette({ onClose, groups, find, foundHeading }: Props) {
  const [text, setText] = useState('')
  const found = useSearchResults(text, find)
  const choose = (item: PaletteItem) => {
    onClose()
    // After the palette is closed and focus is back where it was.
    requestAnimationFrame(() => item.run())
  }
  return (
    <Dialog.Root open onOpenChange={stays => !stays && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black/30" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[10dvh] z-50 mx-auto max-w-xl overflow-hidden rounded-xl bg-raised shadow-float outline-none max-sm:top-3"
        >
          <Dialog.Title className="sr-only">{t`Search or jump to…`}</Dialog.Title>
          <SearchableList
            size="palette"
            label={t`Search or jump to…`}
            placeholder={t`Search or jump to…`}
            maxLength={500}
            search={text}
            onSearch={setText}
            groups={rankGroups([...groups, { heading: foundHeading, items: found }], text)}
            getId={({ id }) => id}
            renderItem={item => <Item {...item} />}
            onChoose={choose}
            empty={t`No results`}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const Item = ({ icon, label, detail, keys }: PaletteItem) => (
  <>
    <span className="w-4 shrink-0 text-muted" aria-hidden="true">
      {icon}
    </span>
    <span className="min-w-0 flex-1 truncate">{label}</span>
    {detail && <span className="max-w-[45%] truncate text-muted text-sm">{detail}</span>}
    {keys && <ShortcutKeys keys={keys} className="text-muted" />}
  </>
)

/** The groups with the items that match the search, best matches first. */
const rankGroups = (groups: readonly PaletteGroup[], search: string): PaletteGroup[] =>
  groups
    .map(({ heading, items }) => {
      const scored = items
        .map(item => ({ item, score: scoreItem(item, search) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
      return { heading, items: scored.map(({ item }) => item), best: scored[0]?.score ?? 0 }
    })
    .sort((one, other) => other.best - one.best)

function scoreItem({ label, also = '', isFound }: PaletteItem, search: string): number {
  const text = toSearchable(`${label} ${also}`)
  const [first = ''] = toSearchable(search).trim().split(/\s+/)
  if (!isFound && !matchesSearch(text, search)) return 0
  if (text.startsWith(first)) return 1
  return isFound || text.includes(` ${first}`) ? 0.8 : 0.5
}

function useSearchResults(text: string, find: Props['find']): readonly PaletteItem[] {
  const [found, setFound] = useState<readonly PaletteItem[]>([])
  useEffect(() => {
    const words = text.trim()
    if (words.length < 2) {
      setFound([])
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(() => {
      find(words, stop.signal).then(
        items => !stop.signal.aborted && setFound(items.map(item => ({ ...item, isFound: true }))),
        // Search is an extra here: without a response, the rest of the palette still works.
        () => !stop.signal.aborted && setFound([]),
      )
    }, SEARCH_DELAY)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text, find])
  return found
}
