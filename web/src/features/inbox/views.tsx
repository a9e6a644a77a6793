import { CheckCheck, CircleDashed, Hourglass, Inbox, Layers, UserRound, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Counts } from '@/api/inbox'
import type { ViewName } from './search-params'

type View = {
  name: string
  icon: ReactNode
  /** How many there are. Nobody counts what is decided: it only grows. */
  count?: keyof Counts['views']
  /** What an empty list says. */
  empty: string
  why: string
}

export const VIEW: Record<ViewName, View> = {
  mine: {
    name: 'Assigned to me',
    icon: <UserRound size={16} />,
    count: 'mine',
    empty: 'Nothing waits for you',
    why: 'Reviews that agents assign to you appear here the moment they are asked for.',
  },
  groups: {
    name: 'My groups',
    icon: <UsersRound size={16} />,
    count: 'myGroups',
    empty: 'Nothing waits for your groups',
    why: 'Reviews that are assigned to a group you belong to appear here.',
  },
  unassigned: {
    name: 'Unassigned',
    icon: <CircleDashed size={16} />,
    count: 'unassigned',
    empty: 'Nothing is without an owner',
    why: 'Reviews that name nobody are for whoever comes first. They appear here.',
  },
  all: {
    name: 'All open',
    icon: <Inbox size={16} />,
    count: 'all',
    empty: 'Everything is decided',
    why: 'New reviews appear here the moment an agent asks.',
  },
  waiting: {
    name: 'Waiting for agent',
    icon: <Hourglass size={16} />,
    count: 'waiting',
    empty: 'No agent owes an answer',
    why: 'Reviews for which somebody asked for changes wait here until the agent sends new content.',
  },
  decided: {
    name: 'Decided',
    icon: <CheckCheck size={16} />,
    empty: 'Nothing has been decided yet',
    why: 'What was approved or rejected stays readable here.',
  },
  any: {
    name: 'Everything',
    icon: <Layers size={16} />,
    empty: 'There is no review here',
    why: 'Reviews appear here whatever their state.',
  },
}

/** A number for a narrow place. Counting stops at a ceiling: more are some, not so many. */
export function countText(count: number | undefined, ceiling = 10_000): string {
  if (!count) return ''
  return count >= ceiling ? `${(ceiling - 1).toLocaleString('en')}+` : count.toLocaleString('en')
}
