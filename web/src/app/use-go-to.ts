import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { InboxSearch } from '@/features/inbox/search-params'
import { type Shortcut, useShortcuts } from '@/lib/shortcuts'

/** So long the second key may take. */
const PATIENCE = 1_500
const GROUP = 'Everywhere'

const PLACES: readonly { key: string; name: string; search: InboxSearch }[] = [
  { key: 'i', name: 'inbox', search: {} },
  { key: 'm', name: 'assigned to me', search: { view: 'mine' } },
  { key: 'u', name: 'unassigned', search: { view: 'unassigned' } },
  { key: 'a', name: 'all open', search: { view: 'all' } },
  { key: 'd', name: 'decided', search: { view: 'decided' } },
]

/** `G` and then another key goes somewhere. */
export function useGoTo() {
  const navigate = useNavigate()
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setWaiting(false), PATIENCE)
    return () => clearTimeout(timer)
  }, [isWaiting])

  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'g',
          label: 'Go to: then I inbox, M mine, U unassigned, A all, D decided, C chats, S settings',
          group: GROUP,
          keyboardOnly: true,
          run: () => setWaiting(true),
        },
      ],
      [],
    ),
  )

  // The second keys mean something else at other times; declared last, they win for this moment.
  const second = useMemo((): Shortcut[] => {
    if (!isWaiting) return []
    const places = PLACES.map(({ key, name, search }) => ({
      keys: key,
      label: `Go to ${name}`,
      group: GROUP,
      keyboardOnly: true,
      run: () => {
        setWaiting(false)
        void navigate({ to: '/', search })
      },
    }))
    const settings = {
      keys: 's',
      label: 'Go to settings',
      group: GROUP,
      keyboardOnly: true,
      run: () => {
        setWaiting(false)
        void navigate({ to: '/settings/$section', params: { section: 'profile' } })
      },
    }
    const chats = {
      keys: 'c',
      label: 'Go to chats',
      group: GROUP,
      keyboardOnly: true,
      run: () => {
        setWaiting(false)
        void navigate({ to: '/sessions', search: {} })
      },
    }
    return [...places, chats, settings]
  }, [isWaiting, navigate])
  useShortcuts(second)
}
