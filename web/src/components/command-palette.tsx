import { t } from '@lingui/core/macro'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useEffect, useState } from 'react'
import { ShortcutKeys } from './shortcut-keys'

export type PaletteItem = {
  id: string
  label: string
  /** More words that find it. */
  also?: string
  detail?: string
  icon?: ReactNode
  keys?: string
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
          <Command label={t`Search or jump to…`} loop filter={scoreItem}>
            <div className="flex items-center gap-2.5 border-line border-b px-4">
              <Search className="shrink-0 text-muted" />
              <Command.Input
                value={text}
                onValueChange={setText}
                placeholder={t`Search or jump to…`}
                maxLength={500}
                className="h-12 w-full bg-transparent text-lg outline-none"
              />
            </div>
            <Command.List className="max-h-[min(60dvh,26rem)] scroll-py-2 overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-muted">{t`No results`}</Command.Empty>
              {groups.map(group => (
                <Group key={group.heading} group={group} onChoose={choose} />
              ))}
              {found.length > 0 && (
                <Group group={{ heading: foundHeading, items: found }} onChoose={choose} foundBy={text} />
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type GroupProps = { group: PaletteGroup; onChoose: (item: PaletteItem) => void; foundBy?: string }

function Group({ group, onChoose, foundBy }: GroupProps) {
  if (group.items.length === 0) return null
  return (
    <Command.Group
      heading={group.heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
    >
      {group.items.map(item => (
        <Command.Item
          key={item.id}
          value={item.id}
          keywords={[item.label, item.also ?? '', foundBy ?? '']}
          onSelect={() => onChoose(item)}
          className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-selected pointer-coarse:min-h-11"
        >
          <span className="w-4 shrink-0 text-muted" aria-hidden="true">
            {item.icon}
          </span>
          <span className="min-w-0 flex-1 truncate">{item.label}</span>
          {item.detail && <span className="max-w-[45%] truncate text-muted text-sm">{item.detail}</span>}
          {item.keys && <ShortcutKeys keys={item.keys} className="text-muted" />}
        </Command.Item>
      ))}
    </Command.Group>
  )
}

/** How well an item matches the search: it has to contain every word. Items match by their words, not by their IDs. */
export function scoreItem(_id: string, typed: string, words: string[] = []): number {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const text = words.join(' ').toLowerCase()
  if (!terms.every(word => text.includes(word))) return 0
  const [first = ''] = terms
  if (text.startsWith(first)) return 1
  return text.includes(` ${first}`) ? 0.8 : 0.5
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
        items => !stop.signal.aborted && setFound(items),
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
