import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Counts, type SavedView, savedViewsQuery, useDeleteView } from '@/api/inbox'
import { IconButton } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { Menu, MenuItem } from '@/components/menu'
import { NameDialog } from './name-dialog'
import { NavigationItem } from './navigation-item'
import { getSearch, type InboxSearch } from './search-params'
import { formatSavedCount } from './views'

type Props = { current: InboxSearch | null; counts: Counts | undefined }

/** The member's saved views. */
export function SavedViewsNavigation({ current, counts }: Props) {
  const views = useQuery(savedViewsQuery).data ?? []
  if (views.length === 0) return null
  return (
    <section aria-labelledby="navigation-saved">
      <h2 id="navigation-saved" className="px-2 pt-4 pb-1 text-muted text-xs">
        {t`Saved views`}
      </h2>
      <ul>
        {views.map(view => (
          <li key={view.viewId} className="group/saved relative">
            <NavigationItem
              search={{ ...getSearch(view.filters), saved: view.viewId }}
              isCurrent={current?.saved === view.viewId}
              icon={<Bookmark />}
              count={formatSavedCount(view.viewId, counts)}
              className="group-focus-within/saved:pe-8 group-hover/saved:pe-8 pointer-coarse:pe-12"
            >
              {view.name}
            </NavigationItem>
            <ViewMenu view={view} isCurrent={current?.saved === view.viewId} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ViewMenu({ view, isCurrent }: { view: SavedView; isCurrent: boolean }) {
  const [asks, setAsks] = useState<'rename' | 'delete' | null>(null)
  const remove = useDeleteView()
  const navigate = useNavigate()
  const close = () => setAsks(null)
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t`Options for “${{ name: view.name }}”`}
            icon={<Ellipsis />}
            size="small"
            className="absolute top-px end-0.5 bg-selected opacity-0 focus-visible:opacity-100 group-focus-within/saved:opacity-100 group-hover/saved:opacity-100 data-[state=open]:opacity-100 pointer-coarse:top-0 pointer-coarse:end-0 pointer-coarse:bg-transparent pointer-coarse:opacity-100"
          />
        }
      >
        <MenuItem icon={<Pencil />} onSelect={() => setAsks('rename')}>
          {t`Rename…`}
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger onSelect={() => setAsks('delete')}>
          {t`Delete…`}
        </MenuItem>
      </Menu>
      {asks === 'rename' && <NameDialog view={view} onClose={close} />}
      <Confirm
        open={asks === 'delete'}
        onClose={close}
        title={t`Delete view “${{ name: view.name }}”?`}
        confirm={t`Delete view`}
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(view.viewId, {
            onSuccess: () => {
              close()
              if (isCurrent) navigate({ to: '/', search: ({ saved: _saved, ...rest }) => rest })
            },
          })
        }
      >
        {t`This doesn't delete the reviews in the view.`}
      </Confirm>
    </>
  )
}
