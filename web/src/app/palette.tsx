import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Bookmark,
  Bot,
  ChartNoAxesColumn,
  FileText,
  MessageSquarePlus,
  MessageSquareText,
  MessagesSquare,
  Play,
  Send,
  Settings,
} from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { activeFormsQuery } from '@/api/forms/lists'
import { localizeName, useFormName } from '@/api/forms/names'
import { savedViewsQuery } from '@/api/inbox'
import { findReviews } from '@/api/reviews'
import { findSessions } from '@/api/sessions'
import { allAgentsQuery } from '@/api/settings/agents'
import { CommandPalette, type PaletteGroup, type PaletteItem } from '@/components/command-palette'
import { useChatAgents } from '@/features/chat/new-chat-menu'
import { getSearch, type InboxSearch, VIEWS } from '@/features/inbox/search-params'
import { VIEW } from '@/features/inbox/views'
import { useTriggers } from '@/features/triggers/agent-triggers'
import { i18n } from '@/lib/i18n'
import { useActiveShortcuts } from '@/lib/shortcuts'

/** The command palette: available actions, views, agents, review types, and reviews by their text. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const agents = useQuery(allAgentsQuery).data
  const chatAgents = useChatAgents()
  const triggers = useTriggers()
  const forms = useQuery(activeFormsQuery).data
  const nameOf = useFormName()
  const saved = useQuery(savedViewsQuery).data
  const declared = useActiveShortcuts()

  const groups = useMemo((): PaletteGroup[] => {
    const show = (search: InboxSearch) => () => void navigate({ to: '/', search })
    const actions = new Map<string, PaletteItem>()
    for (const shortcut of declared.flat()) {
      if (shortcut.keyboardOnly) continue
      const keys = typeof shortcut.keys === 'string' ? shortcut.keys : shortcut.keys[0]
      actions.set(shortcut.label, {
        id: `action ${shortcut.group} ${shortcut.label}`,
        label: shortcut.label,
        also: shortcut.group,
        keys,
        run: () => shortcut.run(new KeyboardEvent('keydown')),
      })
    }
    return [
      { heading: t`Actions`, items: [...actions.values()] },
      {
        heading: t`Go to`,
        items: [
          ...VIEWS.map(view => ({
            id: `view ${view}`,
            label: i18n._(VIEW[view].name),
            icon: VIEW[view].icon,
            run: show({ view }),
          })),
          ...(saved ?? []).map(view => ({
            id: `saved ${view.viewId}`,
            label: view.name,
            icon: <Bookmark />,
            run: show({ ...getSearch(view.filters), saved: view.viewId }),
          })),
          {
            id: 'chats',
            label: t`Chats`,
            also: t({ message: 'sessions messages', comment: 'Search terms that find “Chats”' }),
            icon: <MessagesSquare />,
            run: () => void navigate({ to: '/sessions', search: {} }),
          },
          {
            id: 'insights',
            label: t`Insights`,
            icon: <ChartNoAxesColumn />,
            run: () => void navigate({ to: '/insights' }),
          },
          {
            id: 'outgoing-messages',
            label: t`Outgoing messages`,
            also: t({
              message: 'deliveries webhook email Slack Mattermost',
              comment: 'Search terms that find “Outgoing messages”',
            }),
            icon: <Send />,
            run: () => void navigate({ to: '/settings/$section', params: { section: 'outgoing-messages' } }),
          },
          {
            id: 'settings',
            label: t`Settings`,
            icon: <Settings />,
            run: () => void navigate({ to: '/settings/$section', params: { section: 'profile' } }),
          },
        ],
      },
      {
        heading: t`Agents`,
        items: (agents ?? []).map(agent => ({
          id: `agent ${agent.agentId}`,
          label: agent.name,
          icon: <Bot />,
          run: show({ agent: agent.agentId }),
        })),
      },
      {
        heading: t`New chat`,
        items: chatAgents.map(agent => ({
          id: `chat ${agent.agentId}`,
          label: t`New chat with ${{ agentName: agent.name }}`,
          icon: <MessageSquarePlus />,
          run: () => void navigate({ to: '/sessions', search: { new: agent.agentId } }),
        })),
      },
      {
        heading: t`Start a workflow`,
        items: triggers.map(trigger => ({
          id: `trigger ${trigger.formId}`,
          label: t`Start ${{ workflowName: localizeName(trigger) }}`,
          also: t({ message: 'trigger form run', comment: 'Search terms that find “Start …”' }),
          detail: trigger.agentName,
          icon: <Play />,
          run: () =>
            void navigate({ to: '/triggers/$formId', params: { formId: trigger.formId }, search: {} }),
        })),
      },
      {
        heading: t`Review types`,
        items: (forms ?? []).map(form => ({
          id: `form ${form.formId}`,
          label: localizeName(form),
          also: form.name,
          icon: <FileText />,
          run: show({ form: form.formId, ...(form.agentId && { agent: form.agentId }) }),
        })),
      },
    ]
  }, [declared, agents, chatAgents, triggers, forms, saved, navigate])

  const find = useCallback(
    async (words: string, signal: AbortSignal): Promise<PaletteItem[]> => {
      const [rows, sessions] = await Promise.allSettled([
        findReviews(words, signal),
        findSessions(words, signal),
      ])
      if (rows.status === 'rejected' && sessions.status === 'rejected') throw rows.reason
      // Show the results of one search even if the other one failed.
      const chats = toItems(sessions).map(session => ({
        id: `session ${session.sessionId}`,
        label: session.name ?? session.lastMessage?.text ?? session.agentName,
        detail: session.agentName,
        icon: <MessagesSquare />,
        run: () =>
          void navigate({ to: '/sessions/$sessionId', params: { sessionId: session.sessionId }, search: {} }),
      }))
      const reviews = toItems(rows).map(row => ({
        id: `review ${row.reviewId}`,
        label: row.title || nameOf(row),
        detail: nameOf(row),
        icon: <MessageSquareText />,
        run: () =>
          void navigate({ to: '/reviews/$reviewId', params: { reviewId: row.reviewId }, search: {} }),
      }))
      return [...reviews, ...chats]
    },
    [navigate, nameOf],
  )

  return <CommandPalette onClose={onClose} groups={groups} find={find} foundHeading={t`Reviews and chats`} />
}

const toItems = <T,>(found: PromiseSettledResult<T[]>): T[] =>
  found.status === 'fulfilled' ? found.value : []
