import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { Menu as MenuIcon, MessageSquarePlus, MessagesSquare, SearchX } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import { useMay } from '@/api/session'
import type { SessionRow } from '@/api/sessions'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button, IconButton } from '@/components/button'
import { NativeSelect } from '@/components/input'
import { SearchBox } from '@/components/search-box'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { type Shortcut, useShortcuts } from '@/lib/shortcuts'
import { NewChatMenu, useChatAgents } from './new-chat-menu'
import { type ChatSearch, listSearch } from './search-params'
import { SessionRowItem } from './session-row'
import { useSessionList } from './use-session-list'

type Props = {
  search: ChatSearch
  openId: string | undefined
  onOpen: (sessionId: string) => void
  onSearch: (step: (search: ChatSearch) => ChatSearch, replace?: boolean) => void
  onNew: (agentId: string) => void
  onMenu: () => void
}

/** The sessions of the workspace, unread ones first. */
export function SessionList({ search, openId, onOpen, onSearch, onNew, onMenu }: Props) {
  const list = useSessionList(search, openId)
  const { query, unread, others, isEmpty } = list
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const scroller = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const hrefOf = useHref(search)

  const step = useCallback((by: 1 | -1) => {
    const links = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-session]') ?? [])]
    const focused = links.indexOf(document.activeElement as HTMLElement)
    const from = focused === -1 ? links.findIndex(link => link.ariaCurrent === 'true') : focused
    const to = from === -1 ? 0 : from + by
    links[Math.min(links.length - 1, Math.max(0, to))]?.focus()
  }, [])
  const isBeside = openId !== undefined || search.new !== undefined
  const chatAgents = useChatAgents()
  const only = chatAgents.length === 1 ? chatAgents[0] : undefined
  useShortcuts(
    useMemo((): Shortcut[] => {
      const group = t`Chat`
      // Next to an open session, the arrow keys scroll it.
      const [down, up] = isBeside ? ['j', 'k'] : [['j', 'ArrowDown'] as const, ['k', 'ArrowUp'] as const]
      return [
        { keys: down, label: t`Next chat`, group, keyboardOnly: true, run: () => step(1) },
        { keys: up, label: t`Previous chat`, group, keyboardOnly: true, run: () => step(-1) },
        { keys: '/', label: t`Search chats`, group, run: () => input.current?.select() },
        ...(chatAgents.length > 0
          ? [
              {
                keys: 'n',
                label: t`New chat`,
                group,
                run: () => (only ? onNew(only.agentId) : openNewChatMenu()),
              },
            ]
          : []),
      ]
    }, [step, isBeside, chatAgents.length, only, onNew]),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    step(event.key === 'ArrowDown' ? 1 : -1)
  }
  const Heading = isBeside ? 'h2' : 'h1'
  const draw = (row: SessionRow) => (
    <SessionRowItem
      key={row.sessionId}
      row={row}
      href={hrefOf(row.sessionId)}
      isOpen={row.sessionId === openId}
      onOpen={onOpen}
    />
  )

  return (
    <div className="flex h-full min-w-0 flex-col bg-surface">
      <header className="flex flex-col gap-2 border-line border-b px-3 pb-2.5">
        <div className="flex h-12 items-center gap-0.5 pt-1">
          <IconButton
            label={t`Open navigation`}
            icon={<MenuIcon />}
            onClick={onMenu}
            className="-ms-2 lg:hidden"
          />
          <Heading className="min-w-0 flex-1 truncate font-semibold text-lg">{t`Chats`}</Heading>
          <NewChatMenu
            onNew={onNew}
            trigger={<IconButton label={t`New chat`} keys="n" data-new-chat icon={<MessageSquarePlus />} />}
          />
        </div>
        <SearchBox
          label={t`Search chats`}
          placeholder={t`Search chats`}
          q={search.q}
          input={input}
          onSearch={q => onSearch(now => ({ ...now, q }), true)}
          onLeave={() => step(1)}
        />
        <Filters search={search} onSearch={onSearch} />
      </header>
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto"
        aria-busy={query.isFetching || undefined}
      >
        {query.isError && isEmpty ? (
          <ErrorState title={t`Couldn't load chats`} error={query.error} onRetry={() => query.refetch()} />
        ) : query.isPending ? (
          <Placeholders />
        ) : isEmpty && !hasNextPage ? (
          <NoSessions search={search} onSearch={onSearch} onNew={onNew} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveElementInteractions: its links have focus.
          // biome-ignore lint/a11y/noStaticElementInteractions: it handles its links' arrow keys.
          <div onKeyDown={onKeyDown}>
            {unread.length > 0 && (
              <>
                <h3 id="chats-unread" className="px-4 pt-2.5 pb-1 text-muted text-xs">
                  {t`Unread`}
                </h3>
                <ul aria-labelledby="chats-unread">{unread.map(draw)}</ul>
                {others.length > 0 && (
                  <h3 id="chats-others" className="px-4 pt-2.5 pb-1 text-muted text-xs">
                    {t({ message: 'Earlier', comment: 'Heading above chats without unread messages' })}
                  </h3>
                )}
              </>
            )}
            <ul
              aria-label={unread.length > 0 ? undefined : t`Chats`}
              aria-labelledby={unread.length > 0 && others.length > 0 ? 'chats-others' : undefined}
            >
              {others.map(draw)}
            </ul>
            {isFetchNextPageError ? (
              <div className="grid place-items-center py-4">
                <Button size="small" onClick={() => fetchNextPage()}>
                  {t`Load more`}
                </Button>
              </div>
            ) : (
              // Fetching the next page during a refetch would abort the refetch.
              hasNextPage && <More isReading={isFetching} onSeen={fetchNextPage} />
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** Opens the menu from the keyboard, as Enter on its button does. */
function openNewChatMenu() {
  const trigger = document.querySelector<HTMLElement>('[data-new-chat]')
  trigger?.focus()
  trigger?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
}

function Filters({ search, onSearch }: Pick<Props, 'search' | 'onSearch'>) {
  const agents = useQuery(allAgentsQuery).data
  const sorted = useMemo(() => agents?.toSorted((a, b) => a.name.localeCompare(b.name)) ?? [], [agents])
  return (
    <div className="flex gap-2">
      <NativeSelect
        aria-label={t`Agent`}
        value={search.agent ?? ''}
        onChange={event => onSearch(now => ({ ...now, agent: event.target.value || undefined }))}
        className="min-w-0 flex-1 border-line bg-canvas"
      >
        <option value="">{t`All agents`}</option>
        {sorted.map(agent => (
          <option key={agent.agentId} value={agent.agentId}>
            {agent.name}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label={t({
          message: 'Show',
          context: 'filter',
          comment: 'Label of a filter: chats with messages, or all chats',
        })}
        value={search.all ? 'all' : 'chats'}
        onChange={event =>
          onSearch(now => ({ ...now, all: event.target.value === 'all' ? true : undefined }))
        }
        className="min-w-0 flex-1 border-line bg-canvas"
      >
        <option value="chats">{t`With messages`}</option>
        <option value="all">{t`All chats`}</option>
      </NativeSelect>
    </div>
  )
}

/** Loads the next page when it scrolls into view. */
function More({ isReading, onSeen }: { isReading: boolean; onSeen: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isReading || !place.current) return
    const observer = new IntersectionObserver(seen => seen.some(each => each.isIntersecting) && onSeen(), {
      rootMargin: '0px 0px 400px',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isReading, onSeen])
  return (
    <div ref={place} className="grid place-items-center py-4">
      <Spinner label={t`Loading more chats…`} />
    </div>
  )
}

function NoSessions({ search, onSearch, onNew }: Pick<Props, 'search' | 'onSearch' | 'onNew'>) {
  const chatAgents = useChatAgents()
  if (search.q || search.agent)
    return (
      <EmptyState
        icon={<SearchX />}
        title={search.q ? t`No results for “${{ query: search.q }}”` : t`No chats with this agent`}
        action={
          <Button onClick={() => onSearch(now => (now.all ? { all: true } : {}))}>{t`Clear filters`}</Button>
        }
      >
        {search.q && t`Search covers chat names and messages.`}
      </EmptyState>
    )
  if (chatAgents.length === 0) return <NoChatAgents />
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title={t`No chats yet`}
      action={
        <NewChatMenu onNew={onNew} trigger={<Button kind="primary">{t`New chat`}</Button>} align="start" />
      }
    >
      {t`Message an agent. Its replies and review requests show up here.`}
    </EmptyState>
  )
}

/** No agent to start a chat with: links to the setting, or says who to ask. */
function NoChatAgents() {
  const mayDesign = useMay('design')
  const mayDecide = useMay('decide')
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title={t`No chats yet`}
      action={
        mayDesign && (
          <Link
            to="/settings/$section"
            params={{ section: 'agents' }}
            className="rounded text-accent underline underline-offset-2"
          >
            {t`Agent settings`}
          </Link>
        )
      }
    >
      {mayDesign
        ? t`Turn on chat in an agent's settings to message it.`
        : mayDecide
          ? t`Ask an admin to turn on chat for an agent.`
          : t`Chats between your team and its agents show up here.`}
    </EmptyState>
  )
}

function Placeholders() {
  return (
    <div aria-hidden="true">
      {[62, 48, 74, 55, 68].map(width => (
        <div key={width} className="flex h-15 items-center gap-3 border-line border-b px-4">
          <span className="size-8 rounded-lg bg-line/60" />
          <span className="flex flex-1 flex-col gap-2">
            <span style={{ width: `${width}%` }} className="h-3 rounded bg-line/70" />
            <span className="h-2.5 w-1/3 rounded bg-line/50" />
          </span>
        </div>
      ))}
    </div>
  )
}

/** The URLs of sessions in this list, which differ only in the ID. */
function useHref(search: ChatSearch): (sessionId: string) => string {
  const router = useRouter()
  return useMemo(() => {
    const place = 'SESSION'
    const location = router.buildLocation({
      to: '/sessions/$sessionId',
      params: { sessionId: place },
      search: listSearch(search),
    })
    const href = router.history.createHref(location.publicHref)
    return sessionId => href.replace(place, encodeURIComponent(sessionId))
  }, [router, search])
}
