import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import {
  ChartNoAxesColumn,
  Inbox,
  LayoutTemplate,
  MessagesSquare,
  PanelLeftClose,
  PanelLeftOpen,
  Search,
  Settings,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useMay, useMe } from '@/api/session'
import { IconButton } from '@/components/button'
import { ShortcutKeys } from '@/components/shortcut-keys'
import { Tooltip } from '@/components/tooltip'
import { AgentChat, ChatsNavigation } from '@/features/chat/navigation'
import { AgentsNavigation } from '@/features/inbox/agents-navigation'
import { useInboxView } from '@/features/inbox/inbox-view'
import { ITEM } from '@/features/inbox/navigation-item'
import { SavedViewsNavigation } from '@/features/inbox/saved-views-navigation'
import { ViewsNavigation } from '@/features/inbox/views-navigation'
import { AgentTriggers } from '@/features/triggers/agent-triggers'
import { ConnectionStatus } from './connection-status'
import { UserMenu } from './user-menu'

type Props = {
  onPalette: () => void
  onHelp: () => void
  /** Absent in the drawer. */
  onCollapse?: () => void
}

/** The navigation. */
export function Sidebar({ onPalette, onHelp, onCollapse }: Props) {
  const me = useMe()
  const mayDesign = useMay('design')
  const { search, view, counts } = useInboxView()
  return (
    <>
      <div className="flex h-12 shrink-0 items-center gap-2 pt-1 ps-4 pe-2">
        <span dir="auto" className="min-w-0 flex-1 truncate font-semibold" title={me.account.name}>
          {me.account.name}
        </span>
        {onCollapse && (
          <IconButton
            label={t`Hide sidebar`}
            keys="["
            icon={<PanelLeftClose />}
            size="small"
            onClick={onCollapse}
          />
        )}
      </div>
      <nav aria-label={t`Inbox`} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        <button
          type="button"
          onClick={onPalette}
          className="mb-2 flex h-8 w-full items-center gap-2 rounded-md border border-line bg-surface px-2 text-muted hover:text-ink pointer-coarse:min-h-11"
        >
          <Search className="icon-small" />
          <span className="min-w-0 flex-1 truncate text-start">{t`Search or jump to…`}</span>
          <ShortcutKeys keys="mod+k" className="max-lg:hidden" />
        </button>
        <ViewsNavigation current={search} view={view} counts={counts} />
        <ChatsNavigation counts={counts} className={ITEM} />
        <SavedViewsNavigation current={search} counts={counts} />
        <AgentsNavigation
          current={search}
          counts={counts}
          beside={agent => <AgentChat agent={agent} counts={counts} />}
          below={agent => <AgentTriggers agentId={agent.agentId} className={ITEM} />}
        />
      </nav>
      <div className="flex flex-col border-line border-t px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        <nav aria-label={t`Workspace`}>
          <Link to="/insights" className={ITEM}>
            <ChartNoAxesColumn className="text-muted" />
            {t`Insights`}
          </Link>
          {mayDesign && (
            <Link to="/review-types" className={ITEM} activeOptions={{ exact: false }}>
              <LayoutTemplate className="text-muted" />
              {t`Review types`}
            </Link>
          )}
          <Link
            to="/settings/$section"
            params={{ section: 'profile' }}
            className={ITEM}
            activeOptions={{ exact: false }}
          >
            <Settings className="text-muted" />
            {t`Settings`}
          </Link>
        </nav>
        <ConnectionStatus />
        <div className="mt-1 flex items-center">
          <UserMenu onHelp={onHelp} />
        </div>
      </div>
    </>
  )
}

/** The collapsed sidebar: a button that expands it, and the pages. */
export function Rail({ onPalette, onHelp, onExpand }: Omit<Props, 'onCollapse'> & { onExpand: () => void }) {
  const mayDesign = useMay('design')
  return (
    <div className="flex h-full flex-col items-center gap-1 py-2">
      <IconButton label={t`Show sidebar`} keys="[" icon={<PanelLeftOpen />} onClick={onExpand} />
      <IconButton label={t`Search or jump to…`} keys="mod+k" icon={<Search />} onClick={onPalette} />
      <nav aria-label={t`Workspace`} className="flex flex-col items-center gap-1">
        <RailLink label={t`Inbox`} icon={<Inbox />} to="/" />
        <RailLink label={t`Chats`} icon={<MessagesSquare />} to="/sessions" />
        <RailLink label={t`Insights`} icon={<ChartNoAxesColumn />} to="/insights" />
        {mayDesign && <RailLink label={t`Review types`} icon={<LayoutTemplate />} to="/review-types" />}
        <RailLink label={t`Settings`} icon={<Settings />} to="/settings" />
      </nav>
      <span className="flex-1" />
      <ConnectionStatus isNarrow />
      <UserMenu isNarrow onHelp={onHelp} />
    </div>
  )
}

function RailLink({
  label,
  icon,
  to,
}: {
  label: string
  icon: ReactNode
  to: '/' | '/sessions' | '/insights' | '/review-types' | '/settings'
}) {
  return (
    <Tooltip label={label}>
      <Link
        to={to}
        aria-label={label}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        className="grid size-8 place-items-center rounded-md text-muted hover:bg-line/60 hover:text-ink aria-[current]:bg-selected aria-[current]:text-ink"
      >
        {icon}
      </Link>
    </Tooltip>
  )
}
