import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useMatch } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { demoQuery } from '@/api/demo'
import { startLiveUpdates } from '@/api/live'
import { outgoingMessages } from '@/api/outgoing-messages'
import { goToSignIn, useMe } from '@/api/session'
import { announceSignIn, subscribeToSignIns } from '@/api/sign-in-broadcast'
import { useSignInState } from '@/api/sign-in-guard'
import { subscribeToSignOut } from '@/api/sign-out'
import { IconButton } from '@/components/button'
import { lazyPart } from '@/components/lazy'
import { LoadingDialog } from '@/components/loading-dialog'
import { OptionalPart } from '@/components/optional-part'
import { Toasts } from '@/components/toast'
import { InboxViewProvider, useInboxView } from '@/features/inbox/inbox-view'
import { trackOpenedReviews } from '@/features/inbox/opened-reviews'
import { PendingDecisions } from '@/features/review/pending-decisions'
import { SignInAgain } from '@/features/sign-in/sign-in-again'
import { announcePageVisibility } from '@/lib/page-visibility'
import { enableShortcuts, useShortcuts } from '@/lib/shortcuts'
import { useStoredSetting } from '@/lib/stored-settings'
import { setTimeZone } from '@/lib/time'
import { GoToShortcuts } from './go-to-shortcuts'
import { NavigationSheet, OpenNavigationProvider } from './navigation-sheet'
import { NewVersionBanner } from './new-version-banner'
// Loaded with the page, not on demand: keys typed right after its shortcut must not reach the page below.
import { Palette } from './palette'
import { Rail, Sidebar } from './sidebar'
import { useDocumentTitle } from './use-document-title'

const BrowserNotifications = lazyPart(() => import('./browser-notifications'))
const DemoBanner = lazyPart(() => import('@/features/demo/demo-banner'))
const HelpSheet = lazyPart(() => import('@/components/help-sheet'))

/** The layout of signed-in pages: navigation, live updates, the palette, help. */
export function Shell() {
  return (
    <InboxViewProvider>
      <Frame />
    </InboxViewProvider>
  )
}

function Frame() {
  const client = useQueryClient()
  const { preferences, user } = useMe()
  const { search } = useInboxView()
  const demo = useQuery(demoQuery).data
  const isChat = useMatch({ from: '/app/chats', shouldThrow: false }) !== undefined
  const [isCollapsed, setCollapsed] = useStoredSetting<boolean>('signoff.sidebar-hidden', false)
  const [shows, setShows] = useState<'navigation' | 'palette' | 'help' | null>(null)
  const close = () => setShows(null)

  // Not in an effect, so that the first render of the children has it.
  setTimeZone(preferences.timeZone ?? null)
  const { pageUser, status, renewals } = useSignInState()
  // The connection was refused when the sign-in ended: a new one starts with the new sign-in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => startLiveUpdates(client), [client, renewals])
  useEffect(() => subscribeToSignOut(goToSignIn), [])
  useEffect(() => subscribeToSignIns(), [])
  useEffect(() => announceSignIn(user.userId), [user.userId])
  useEffect(() => trackOpenedReviews(user.userId), [user.userId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another member has other messages.
  useEffect(outgoingMessages.resume, [user.userId])
  // For other tabs of this browser, one of which may show notifications.
  useEffect(() => announcePageVisibility(), [])
  useEffect(() => enableShortcuts(preferences.shortcuts), [preferences.shortcuts])
  useEffect(() => {
    const root = document.documentElement
    if (preferences.theme === 'system') delete root.dataset.theme
    else root.dataset.theme = preferences.theme
  }, [preferences.theme])
  useDocumentTitle()

  // Going to a page closes the drawer.
  const { href } = useLocation()
  const [leftAt, setLeftAt] = useState(href)
  if (leftAt !== href) {
    setLeftAt(href)
    if (shows === 'navigation') close()
  }

  useShortcuts(
    useMemo(() => {
      const group = t`General`
      const toggle = (what: 'palette' | 'help') => setShows(now => (now === what ? null : what))
      return [
        {
          keys: 'mod+k',
          label: t`Search or jump to…`,
          group,
          whileTyping: true,
          inDialog: true,
          keyboardOnly: true,
          run: () => toggle('palette'),
        },
        { keys: '?', label: t`Keyboard shortcuts`, group, run: () => toggle('help') },
        { keys: '[', label: t`Toggle sidebar`, group, run: () => setCollapsed(!isCollapsed) },
      ]
    }, [isCollapsed, setCollapsed]),
  )

  const sidebar = { onPalette: () => setShows('palette'), onHelp: () => setShows('help') }
  return (
    <OpenNavigationProvider value={() => setShows('navigation')}>
      <a
        href="#page"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:start-2"
      >
        {t`Skip to main content`}
      </a>
      <div className="flex h-dvh">
        <aside
          aria-label={t`Sidebar`}
          className={`flex shrink-0 flex-col border-line border-e bg-sunken max-lg:hidden ${isCollapsed ? 'w-12' : 'w-60'}`}
        >
          {isCollapsed ? (
            <Rail {...sidebar} onExpand={() => setCollapsed(false)} />
          ) : (
            <Sidebar {...sidebar} onCollapse={() => setCollapsed(true)} />
          )}
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <NewVersionBanner />
          {demo && demo.state !== 'none' && (
            <OptionalPart>
              <DemoBanner demo={demo} />
            </OptionalPart>
          )}
          {search === null && !isChat && (
            <div className="flex h-12 shrink-0 items-center border-line border-b px-1 lg:hidden">
              <IconButton label={t`Open navigation`} icon={<Menu />} onClick={() => setShows('navigation')} />
            </div>
          )}
          <div id="page" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
            <Outlet />
          </div>
        </div>
      </div>
      <Toasts>
        <GoToShortcuts />
        <PendingDecisions />
      </Toasts>
      {pageUser && status === 'ended' && <SignInAgain owner={pageUser} />}
      {preferences.browserNotifications && 'Notification' in window && (
        <OptionalPart>
          <BrowserNotifications />
        </OptionalPart>
      )}
      {shows === 'navigation' && (
        <NavigationSheet onClose={close}>
          <Sidebar {...sidebar} />
        </NavigationSheet>
      )}
      {shows === 'palette' && <Palette onClose={close} />}
      {shows === 'help' && (
        <Suspense fallback={<LoadingDialog title={t`Keyboard shortcuts`} onClose={close} />}>
          <HelpSheet onClose={close} isSwitchedOff={!preferences.shortcuts} />
        </Suspense>
      )}
    </OpenNavigationProvider>
  )
}
