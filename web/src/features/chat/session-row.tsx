import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Bot } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import type { SessionRow } from '@/api/sessions'
import { RelativeTime } from '@/components/relative-time'
import { Badge } from '@/components/status'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'
import { getChatTitle } from './names'

type Props = {
  row: SessionRow
  href: string
  isOpen: boolean
  onOpen: (sessionId: string) => void
}

/** One session in the list. Two lines of fixed height. */
export const SessionRowItem = memo(function SessionRowItem({ row, href, isOpen, onOpen }: Props) {
  const isUnread = row.unread > 0
  const onClick = (event: MouseEvent) => {
    // With these keys the browser handles the click: a new tab, a download.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    onOpen(row.sessionId)
  }
  return (
    <li>
      <a
        href={href}
        data-session={row.sessionId}
        aria-current={isOpen ? 'true' : undefined}
        onClick={onClick}
        className={classes(
          '-outline-offset-2 flex h-15 items-center gap-3 border-line border-b px-4',
          isOpen ? 'bg-selected' : 'hover:bg-sunken',
        )}
      >
        <span
          aria-hidden="true"
          className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent"
        >
          <Bot />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span
              dir="auto"
              className={classes('min-w-0 flex-1 truncate', isUnread ? 'font-semibold' : 'font-medium')}
            >
              {getChatTitle(row)}
            </span>
            <span className="shrink-0 text-muted text-xs">
              <RelativeTime at={row.activeAt} short />
            </span>
          </span>
          <span className="flex h-5 items-center gap-1.5 text-muted text-sm">
            <span dir="auto" className={classes('min-w-0 flex-1 truncate', isUnread && 'text-ink')}>
              {getPreview(row)}
            </span>
            {row.openReviews > 0 && (
              <Badge>{t`${plural({ count: row.openReviews }, { one: '# review', other: '# reviews' })}`}</Badge>
            )}
            {isUnread && (
              <span className="min-w-5 rounded-full bg-accent-solid px-1.5 text-center font-medium text-white text-xs leading-5">
                <Trans>
                  {{ count: formatUnread(row.unread) }}
                  <span className="sr-only"> unread</span>
                </Trans>
              </span>
            )}
          </span>
        </span>
      </a>
    </li>
  )
})

const MAX_COUNT = 99

const formatUnread = (count: number): string =>
  count > MAX_COUNT
    ? t({
        message: `${{ count: formatNumber(MAX_COUNT) }}+`,
        comment: 'A count that stops at 99: at least so many',
      })
    : formatNumber(count)

function getPreview({ name, agentName, lastMessage }: SessionRow): string {
  if (!lastMessage) return name === null ? t`No messages yet` : t`${agentName} · No messages yet`
  const text = lastMessage.text.replace(/\s+/g, ' ').trim() || t`Attachment`
  if (lastMessage.role === 'human') return t`${{ name: lastMessage.by }}: ${text}`
  return name === null ? text : `${agentName} · ${text}`
}
