import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { CheckCheck, CircleDashed, Hourglass, Inbox, Layers, UserRound, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Counts } from '@/api/inbox'
import { formatNumber } from '@/lib/i18n'
import type { ViewName } from './search-params'

type View = {
  name: MessageDescriptor
  icon: ReactNode
  /** The count to show. Decided reviews aren't counted: their number only grows. */
  count?: keyof Counts['views']
  /** What the empty list says. */
  empty: MessageDescriptor
  why: MessageDescriptor
}

export const VIEW: Record<ViewName, View> = {
  mine: {
    name: msg`Assigned to me`,
    icon: <UserRound />,
    count: 'mine',
    empty: msg`Nothing assigned to you`,
    why: msg`Reviews assigned to you show up here right away.`,
  },
  groups: {
    name: msg`My groups`,
    icon: <UsersRound />,
    count: 'myGroups',
    empty: msg`Nothing assigned to your groups`,
    why: msg`Reviews assigned to one of your groups show up here.`,
  },
  unassigned: {
    name: msg`Unassigned`,
    icon: <CircleDashed />,
    count: 'unassigned',
    empty: msg`No unassigned reviews`,
    why: msg`Reviews without an assignee show up here. Any reviewer can decide them.`,
  },
  all: {
    name: msg`All pending`,
    icon: <Inbox />,
    count: 'all',
    empty: msg`You're all caught up`,
    why: msg`New reviews show up here as soon as an agent requests them.`,
  },
  waiting: {
    name: msg`Waiting on agent`,
    icon: <Hourglass />,
    count: 'waiting',
    empty: msg`Nothing waiting on agents`,
    why: msg`After someone requests changes, the review stays here until the agent sends a new revision.`,
  },
  decided: {
    name: msg`Decided`,
    icon: <CheckCheck />,
    empty: msg`No decisions yet`,
    why: msg`Approved and rejected reviews show up here.`,
  },
  any: {
    name: msg`All reviews`,
    icon: <Layers />,
    empty: msg`No reviews yet`,
    why: msg`Reviews in any status show up here.`,
  },
}

/** A short number, or "1,000+" if there may be more: counts stop at a ceiling. */
export function formatCount(
  count: number | undefined,
  counts: Pick<Counts, 'ceiling'> | undefined,
  isMinimum = false,
): string {
  if (!count || !counts) return ''
  return isMinimum || count >= counts.ceiling ? t`${{ count: formatNumber(count) }}+` : formatNumber(count)
}

/** The number for a saved view. Only some reviews of a view with a search are counted. */
export function formatSavedCount(viewId: string, counts: Counts | undefined): string {
  return formatCount(counts?.saved[viewId], counts, counts?.incomplete.includes(viewId))
}
