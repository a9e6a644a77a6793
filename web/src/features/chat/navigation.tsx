import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { MessageSquarePlus, MessagesSquare } from 'lucide-react'
import type { Counts } from '@/api/inbox'
import { useMay } from '@/api/session'
import { useSessionRows } from '@/api/sessions'
import type { Agent } from '@/api/settings/agents'
import { Tooltip } from '@/components/tooltip'
import { formatNumber } from '@/lib/i18n'

/** Counts stop here and show as "at least". */
const MAX_SHOWN_COUNT = 100

const formatCount = (count: number): string =>
  count >= MAX_SHOWN_COUNT
    ? t({
        message: `${{ count: formatNumber(MAX_SHOWN_COUNT - 1) }}+`,
        comment: 'A count that stops at 99: at least so many',
      })
    : formatNumber(count)

function formatUnreadCount(agentName: string, count: number): string {
  if (count >= MAX_SHOWN_COUNT)
    return t`${{ count: formatNumber(MAX_SHOWN_COUNT - 1) }}+ unread chats with ${agentName}`
  return t`${plural(count, {
    one: `# unread chat with ${agentName}`,
    other: `# unread chats with ${agentName}`,
  })}`
}

/** The link to the chats, with the number of unread ones. */
export function ChatsNavigation({ counts, className }: { counts: Counts | undefined; className: string }) {
  const unread = counts?.chat.unread ?? 0
  return (
    <Link
      to="/sessions"
      search={{}}
      activeOptions={{ exact: false, includeSearch: false }}
      className={className}
    >
      <MessagesSquare className="text-muted" />
      <span className="min-w-0 flex-1">{t`Chats`}</span>
      {unread > 0 && (
        <span className="min-w-5 rounded-full bg-accent-solid px-1.5 text-center font-medium text-white text-xs leading-4.5">
          <Trans>
            {{ count: formatCount(unread) }}
            <span className="sr-only"> unread</span>
          </Trans>
        </span>
      )}
    </Link>
  )
}

/** On an agent's entry: the number of unread chats, and a button that starts one. */
export function AgentChat({ agent, counts }: { agent: Agent; counts: Counts | undefined }) {
  const mayDecide = useMay('decide')
  const unread = useUnreadOf(agent.agentId, (counts?.chat.unread ?? 0) > 0)
  const mayBegin = agent.chat === 'on' && mayDecide
  if (unread === 0 && !mayBegin) return null
  const newChat = t`New chat with ${{ agentName: agent.name }}`
  return (
    <span className="flex shrink-0 items-center">
      {unread > 0 && (
        <Link
          to="/sessions"
          search={{ agent: agent.agentId }}
          aria-label={formatUnreadCount(agent.name, unread)}
          className="min-w-5 rounded-full bg-accent-solid px-1.5 text-center font-medium text-white text-xs leading-4.5 max-lg:leading-7"
        >
          {formatCount(unread)}
        </Link>
      )}
      {mayBegin && (
        <Tooltip label={newChat}>
          <Link
            to="/sessions"
            search={{ new: agent.agentId }}
            aria-label={newChat}
            activeOptions={{ exact: true, includeSearch: true }}
            className="grid h-7.5 w-7 place-items-center rounded-md text-muted hover:bg-line/60 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <MessageSquarePlus className="icon-small" />
          </Link>
        </Tooltip>
      )}
    </span>
  )
}

const CHATS = { chat: true } as const

/** Counted among the newest sessions, which have the new messages; fetched only while there are any. */
function useUnreadOf(agentId: string, isAny: boolean): number {
  const { rows } = useSessionRows(CHATS, isAny)
  return isAny ? rows.filter(row => row.agentId === agentId && row.unread > 0).length : 0
}
