import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { Suspense, useCallback, useEffect, useMemo } from 'react'
import { lazyPage } from '@/components/lazy'
import { ShortcutKeys } from '@/components/shortcut-keys'
import { EmptyState, Spinner } from '@/components/status'
import { NewChatPane } from '@/features/chat/new-chat-pane'
import { type ChatSearch, listSearch } from '@/features/chat/search-params'
import { SessionList } from '@/features/chat/session-list'
import { SessionPane } from '@/features/chat/session-pane'
import { useShortcuts } from '@/lib/shortcuts'
import { useStoredSetting } from '@/lib/stored-settings'
import { useOpenNavigation } from './navigation-sheet'
import { Splitter } from './splitter'

const loadReview = () => import('./chat-review')
const ChatReview = lazyPage(async () => ({ default: (await loadReview()).ChatReview }))

const route = getRouteApi('/app/chats')
const LIST = { first: 344, min: 272, max: 560 }

/** The list of chats and the open chat side by side; on a phone one of the two. */
export function SessionsPage() {
  const { sessionId } = useParams({ strict: false })
  const search = route.useSearch()
  const navigate = useNavigate()
  const openNavigation = useOpenNavigation()
  const [width, setWidth] = useStoredSetting('signoff.sessions-width', LIST.first)

  const open = useCallback(
    (id: string) =>
      void navigate({ to: '/sessions/$sessionId', params: { sessionId: id }, search: listSearch(search) }),
    [navigate, search],
  )
  const close = useCallback(
    () => void navigate({ to: '/sessions', search: listSearch(search) }),
    [navigate, search],
  )
  const begin = useCallback(
    (agentId: string) => void navigate({ to: '/sessions', search: { ...listSearch(search), new: agentId } }),
    [navigate, search],
  )
  const setSearch = useCallback(
    (step: (now: ChatSearch) => ChatSearch, replace = false) =>
      void navigate({ to: '.', search: step, replace }),
    [navigate],
  )
  const openReview = useCallback(
    (review: string | undefined) =>
      void navigate({
        to: '.',
        search: (now: ChatSearch) => ({ ...now, review }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const reviews = useMemo(
    () => ({
      openId: search.review,
      onOpen: openReview,
      draw: (reviewId: string) => (
        <Suspense fallback={<Waiting />}>
          <ChatReview key={reviewId} reviewId={reviewId} onClose={() => openReview(undefined)} />
        </Suspense>
      ),
    }),
    [search.review, openReview],
  )
  useEffect(() => void loadReview(), [])
  const isOpen = sessionId !== undefined || search.new !== undefined
  useShortcuts(
    useMemo(
      () =>
        isOpen
          ? [{ keys: 'Escape', label: t`Close chat`, group: t`Chat`, keyboardOnly: true, run: close }]
          : [],
      [isOpen, close],
    ),
  )
  return (
    <main className="relative flex h-full overflow-hidden">
      <section
        // A custom property, because on a phone the pane is as wide as the page.
        style={{ '--list-width': `${width}px` } as React.CSSProperties}
        aria-label={t`Chat list`}
        className={`w-(--list-width) shrink-0 max-md:w-full md:max-w-[42%] ${isOpen ? 'max-md:invisible max-md:absolute max-md:inset-0' : ''}`}
      >
        <SessionList
          search={search}
          openId={sessionId}
          onOpen={open}
          onSearch={setSearch}
          onNew={begin}
          onMenu={openNavigation}
        />
      </section>
      <Splitter width={width} onWidth={setWidth} min={LIST.min} max={LIST.max} label={t`Resize chat list`} />
      <div className={`relative min-w-0 flex-1 bg-canvas ${isOpen ? '' : 'max-md:hidden'}`}>
        {sessionId !== undefined ? (
          <SessionPane sessionId={sessionId} reviews={reviews} onClose={close} onLeave={goToList} />
        ) : search.new !== undefined ? (
          <NewChatPane agentId={search.new} onClose={close} onLeave={goToList} onStarted={open} />
        ) : (
          <NoChatOpen />
        )}
      </div>
    </main>
  )
}

/** Goes from the message box back to the list; if the list isn't visible, it only takes focus away from the box. */
function goToList() {
  const row = document.querySelector<HTMLElement>('[data-session][aria-current]')
  if (row && row.offsetParent !== null) row.focus()
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

function Waiting() {
  return (
    <div className="grid h-40 place-items-center">
      <Spinner label={t`Loading review…`} />
    </div>
  )
}

function NoChatOpen() {
  return (
    <div className="grid h-full place-items-center">
      <EmptyState icon={<MessagesSquare />} title={t`No chat selected`}>
        <p>{t`Select a chat or start a new one.`}</p>
        <p className="mt-3 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-sm">
          <span>
            <Trans>
              <ShortcutKeys keys="j" /> <ShortcutKeys keys="k" /> to move
            </Trans>
          </span>
          <span>
            <Trans>
              <ShortcutKeys keys="Enter" /> to open
            </Trans>
          </span>
          <span>
            <Trans>
              <ShortcutKeys keys="n" /> for a new chat
            </Trans>
          </span>
        </p>
      </EmptyState>
    </div>
  )
}
