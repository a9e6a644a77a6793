import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { BASE_PATH, isStatus } from '@/api/client'
import { getLanguage, meQuery } from '@/api/session'
import { claimPage } from '@/api/sign-in-guard'
import { retryingPage } from '@/components/lazy'
import { readChatSearch } from '@/features/chat/search-params'
import { readEditorSearch } from '@/features/forms/search-params'
import { readInboxSearch } from '@/features/inbox/search-params'
import { readInsightsSearch } from '@/features/insights/search-params'
import { readSettingsSearch } from '@/features/settings/search-params'
import { getBrowserLanguage, setLanguage } from '@/lib/i18n'
import { reloadOnNavigation } from '@/lib/new-version'
import { InboxPage } from './inbox-page'
import { NotFound } from './not-found'
import { PageError } from './page-error'
import { queryClient } from './query-client'
import { Shell } from './shell'

const root = createRootRoute({ notFoundComponent: NotFound })

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

/** Pages for people who haven't signed in are in the language of their browser. */
const setVisitorLanguage = () => setLanguage(getBrowserLanguage())

const signIn = createRoute({
  getParentRoute: () => root,
  beforeLoad: setVisitorLanguage,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { token?: string; next?: string; error?: string } => ({
    token: text(raw.token),
    next: text(raw.next),
    error: text(raw.error),
  }),
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/sign-in/sign-in-page'), 'SignInPage'),
    'SignInPage',
  ),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  beforeLoad: setVisitorLanguage,
  path: '/signed-in',
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/sign-in/signed-in-page'), 'SignedInPage'),
    'SignedInPage',
  ),
})

const external = createRoute({
  getParentRoute: () => root,
  beforeLoad: setVisitorLanguage,
  path: '/external/$reviewId',
  validateSearch: (raw: Record<string, unknown>): { token?: string } => ({ token: text(raw.token) }),
  component: lazyRouteComponent(
    retryingPage(() => import('./external-page'), 'ExternalPage'),
    'ExternalPage',
  ),
})

const publicForm = createRoute({
  getParentRoute: () => root,
  beforeLoad: setVisitorLanguage,
  path: '/f/$token',
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/triggers/public-page'), 'PublicPage'),
    'PublicPage',
  ),
})

/** Everything below requires a sign-in; others are sent to sign in and come back. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ location, preload, matches }) => {
    // The root, this route, and the page.
    const page = matches[2]
    if (!preload && page?.cause === 'enter' && (await reloadOnNavigation()))
      await new Promise(() => undefined)
    try {
      const me = await queryClient.ensureQueryData(meQuery)
      claimPage(me.user)
      // A change made elsewhere applies from the next page on, so that it interrupts nobody.
      if (!preload) await setLanguage(getLanguage(me))
    } catch (error) {
      if (!isStatus(error, 401)) throw error
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    }
  },
})

/** One route with and without an open review, so that the page stays mounted when one opens or closes. */
const inbox = createRoute({
  getParentRoute: () => app,
  id: 'inbox',
  validateSearch: readInboxSearch,
  component: InboxPage,
})

const list = createRoute({ getParentRoute: () => inbox, path: '/' })

const review = createRoute({ getParentRoute: () => inbox, path: '/reviews/$reviewId' })

/** One route with and without an open session. */
const chats = createRoute({
  getParentRoute: () => app,
  id: 'chats',
  validateSearch: readChatSearch,
  component: lazyRouteComponent(
    retryingPage(() => import('./sessions-page'), 'SessionsPage'),
    'SessionsPage',
  ),
})

const sessions = createRoute({ getParentRoute: () => chats, path: '/sessions' })

const session = createRoute({ getParentRoute: () => chats, path: '/sessions/$sessionId' })

const insights = createRoute({
  getParentRoute: () => app,
  path: '/insights',
  validateSearch: readInsightsSearch,
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/insights/insights-page'), 'InsightsPage'),
    'InsightsPage',
  ),
})

const reviewTypes = createRoute({
  getParentRoute: () => app,
  path: '/review-types',
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/forms/list/review-types-page'), 'ReviewTypesPage'),
    'ReviewTypesPage',
  ),
})

const reviewTypeEditor = createRoute({
  getParentRoute: () => app,
  path: '/review-types/$formId',
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/forms/editor/editor-page'), 'EditorPage'),
    'EditorPage',
  ),
})

const trigger = createRoute({
  getParentRoute: () => app,
  path: '/triggers/$formId',
  validateSearch: (raw: Record<string, unknown>): { session?: string } => ({ session: text(raw.session) }),
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/triggers/trigger-page'), 'TriggerPage'),
    'TriggerPage',
  ),
})

const run = createRoute({
  getParentRoute: () => app,
  path: '/runs/$runId',
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/runs/run-page'), 'RunPage'),
    'RunPage',
  ),
})

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  beforeLoad: ({ location }) => {
    if (location.pathname.endsWith('/settings'))
      throw redirect({ to: '/settings/$section', params: { section: 'profile' } })
  },
})

const settingsSection = createRoute({
  getParentRoute: () => app,
  path: '/settings/$section',
  validateSearch: readSettingsSearch,
  // The page's name before it had more than deliveries.
  beforeLoad: ({ params, search }) => {
    if (params.section === 'deliveries')
      throw redirect({
        to: '/settings/$section',
        params: { section: 'outgoing-messages' },
        search: { ...search, channel: 'webhook' },
      })
  },
  component: lazyRouteComponent(
    retryingPage(() => import('@/features/settings/settings-page'), 'SettingsPage'),
    'SettingsPage',
  ),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn,
    external,
    publicForm,
    app.addChildren([
      inbox.addChildren([list, review]),
      chats.addChildren([sessions, session]),
      trigger,
      run,
      insights,
      reviewTypes,
      reviewTypeEditor,
      settings,
      settingsSection,
    ]),
  ]),
  basepath: BASE_PATH,
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
