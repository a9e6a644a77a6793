import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useInboxView } from '@/features/inbox/inbox-view'
import { countText } from '@/features/inbox/views'

const PAGES: readonly (readonly [RegExp, string])[] = [
  [/\/insights$/, 'Insights'],
  [/\/sessions(\/|$)/, 'Chats'],
  [/\/runs\/[^/]+$/, 'Run'],
  [/\/triggers\/[^/]+$/, 'Start'],
  [/\/review-types(\/|$)/, 'Review types'],
  [/\/settings(\/|$)/, 'Settings'],
]

/** The tab says how much there is to do: what is assigned to the person, or else everything that is open. */
export function useDocumentTitle() {
  const { counts } = useInboxView()
  const { pathname } = useLocation()
  const page = PAGES.find(([path]) => path.test(pathname))?.[1] ?? 'Inbox'
  const number = countText(counts && (counts.views.mine || counts.views.all))
  useEffect(() => {
    document.title = `${number && `(${number}) `}${page} · Signoff`
  }, [number, page])
}
