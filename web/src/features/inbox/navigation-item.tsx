import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import type { InboxSearch } from './search-params'

export const ITEM =
  'flex h-7.5 min-w-0 items-center gap-2 rounded-md px-2 text-ink hover:bg-line/60 aria-[current]:bg-selected aria-[current]:font-medium pointer-coarse:min-h-11'

type Props = {
  search: InboxSearch
  isCurrent: boolean
  icon?: ReactNode
  /** As `formatCount` writes it. */
  count?: string
  /** The counted reviews wait for agents, not for people. */
  isWaiting?: boolean
  className?: string
  children: string
}

/** A link in the sidebar that shows some of the reviews. */
export function NavigationItem({ search, isCurrent, icon, count, isWaiting, className, children }: Props) {
  return (
    <Link
      to="/"
      search={search}
      // By default, the router marks every URL active that starts like this one.
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isCurrent ? 'page' : undefined}
      className={classes(ITEM, className)}
    >
      {icon !== undefined && (
        <span className="text-muted" aria-hidden="true">
          {icon}
        </span>
      )}
      <span dir="auto" className="min-w-0 flex-1 truncate" title={children}>
        {children}
      </span>
      {count && (
        <span className="text-muted text-xs">
          <span aria-hidden="true">{count}</span>
          <span className="sr-only">{isWaiting ? t`${{ count }} waiting` : t`${{ count }} pending`}</span>
        </span>
      )}
    </Link>
  )
}
