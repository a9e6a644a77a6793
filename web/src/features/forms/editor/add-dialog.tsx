import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { SearchableList } from '@/components/combobox'
import { Dialog } from '@/components/dialog'
import type { PaletteKind } from '../document/operations'
import { palette } from './palette-items'
import { searchPalette } from './palette-search'
import { TypeIcon } from './type-icons'

/** Asks what to add: type a part of its name, or pick it from the list. */
export function AddDialog({ onAdd, onClose }: { onAdd: (kind: PaletteKind) => void; onClose: () => void }) {
  const [words, setWords] = useState('')
  return (
    <Dialog open onClose={onClose} title={t`Add field`}>
      <SearchableList
        size="dialog"
        label={t`Search fields`}
        placeholder={t`Search fields…`}
        search={words}
        onSearch={setWords}
        groups={words.trim() === '' ? palette() : [{ heading: t`Results`, items: searchPalette(words) }]}
        getId={({ kind }) => kind}
        renderItem={({ kind, name, about }) => (
          <>
            <span className="text-muted">
              <TypeIcon kind={kind} />
            </span>
            <span className="font-medium">{name}</span>
            <span className="min-w-0 flex-1 truncate text-muted text-sm">{about}</span>
          </>
        )}
        onChoose={({ kind }) => onAdd(kind)}
        empty={t`No matching fields`}
      />
    </Dialog>
  )
}
