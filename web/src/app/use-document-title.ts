import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useInboxView } from '@/features/inbox/inbox-view'
import { formatCount } from '@/features/inbox/views'
import { i18n } from '@/lib/i18n'

const PAGES: readonly (readonly [RegExp, MessageDescriptor])[] = [
  [/\/insights$/, msg`Insights`],
  [/\/sessions(\/|$)/, msg`Chats`],
  [/\/runs\/[^/]+$/, msg({ message: 'Run', context: 'noun' })],
  [/\/triggers\/[^/]+$/, msg`Start a workflow`],
  [/\/review-types(\/|$)/, msg`Review types`],
  [/\/settings(\/|$)/, msg`Settings`],
]

/** The tab's title counts the reviews to decide: those assigned to the user, or else all that are pending. */
export function useDocumentTitle() {
  const { counts } = useInboxView()
  const { pathname } = useLocation()
  const page = i18n._(PAGES.find(([path]) => path.test(pathname))?.[1] ?? msg`Inbox`)
  const count = formatCount(counts && (counts.views.mine || counts.views.all), counts)
  useEffect(() => {
    document.title = count ? t`(${count}) ${page} · Signoff` : t`${page} · Signoff`
  }, [count, page])
}
