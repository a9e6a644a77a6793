import { t } from '@lingui/core/macro'
import { Command } from 'cmdk'
import { useState } from 'react'
import { Dialog } from '@/components/dialog'
import type { PaletteKind } from '../document/operations'
import { type PaletteItem, palette } from './palette-items'
import { searchPalette } from './palette-search'
import { TypeIcon } from './type-icons'

/** Asks what to add: type a part of its name, or pick it from the list. */
export function AddDialog({ onAdd, onClose }: { onAdd: (kind: PaletteKind) => void; onClose: () => void }) {
  const [words, setWords] = useState('')
  const everything = palette()
  const [current, setCurrent] = useState<string>(everything[0]?.items[0]?.kind ?? '')
  const groups =
    words.trim() === '' ? everything : [{ id: 'results', heading: t`Results`, items: searchPalette(words) }]
  const search = (typed: string) => {
    setWords(typed)
    // Select the first match immediately, so that Enter right after typing picks it.
    setCurrent((typed.trim() === '' ? everything[0]?.items : searchPalette(typed))?.[0]?.kind ?? '')
  }
  return (
    <Dialog open onClose={onClose} title={t`Add field`}>
      <Command label={t`Search fields`} loop shouldFilter={false} value={current} onValueChange={setCurrent}>
        <Command.Input
          value={words}
          onValueChange={search}
          placeholder={t`Search fields…`}
          className="input input-line"
        />
        <Command.List className="mt-2 max-h-[50dvh] overflow-y-auto">
          <Command.Empty className="py-6 text-center text-muted">{t`No matching fields`}</Command.Empty>
          {groups.map(({ id, heading, items }) => (
            <Command.Group
              key={id}
              heading={heading}
              className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
            >
              {items.map(item => (
                <Item key={item.kind} item={item} onAdd={onAdd} />
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}

function Item({ item, onAdd }: { item: PaletteItem; onAdd: (kind: PaletteKind) => void }) {
  return (
    <Command.Item
      value={item.kind}
      onSelect={() => onAdd(item.kind)}
      className="flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 data-[selected=true]:bg-selected pointer-coarse:min-h-11"
    >
      <span className="text-muted">
        <TypeIcon kind={item.kind} />
      </span>
      <span className="font-medium">{item.name}</span>
      <span className="min-w-0 flex-1 truncate text-muted text-sm">{item.about}</span>
    </Command.Item>
  )
}
