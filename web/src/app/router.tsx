import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { isStatus, ROOT } from '@/api/client'
import { meQuery } from '@/api/session'
import { Failure } from '@/components/status'
import { readChatSearch } from '@/features/chat/search-params'
import { readEditorSearch } from '@/features/forms/search-params'
import { readInboxSearch } from '@/features/inbox/search-params'
import { readInsightsSearch } from '@/features/insights/search-params'
import { readSettingsSearch } from '@/features/settings/search-params'
import { setTabOwner } from '@/lib/tab-storage'
import { InboxPage } from './inbox-page'
import { NotFound } from './not-found'
import { queryClient } from './query-client'
import { Shell } from './shell'

const root = createRootRoute({ notFoundComponent: NotFound })

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { token?: string; next?: string; error?: string } => ({
    token: text(raw.token),
    next: text(raw.next),
    error: text(raw.error),
  }),
  component: lazyRouteComponent(() => import('@/features/sign-in/sign-in-page'), 'SignInPage'),
})

const external = createRoute({
  getParentRoute: () => root,
  path: '/external/$reviewId',
  validateSearch: (raw: Record<string, unknown>): { token?: string } => ({ token: text(raw.token) }),
  component: lazyRouteComponent(() => import('./external-page'), 'ExternalPage'),
})

const publicForm = createRoute({
  getParentRoute: () => root,
  path: '/f/$token',
  component: lazyRouteComponent(() => import('@/features/triggers/public-page'), 'PublicPage'),
})

/** Everything below is for people who have signed in; others are sent to do so, and come back. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
  beforeLoad: async ({ location }) => {
    try {
      const { user } = await queryClient.ensureQueryData(meQuery)
      setTabOwner(user.userId)
    } catch (error) {
      if (!isStatus(error, 401)) throw error
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    }
  },
})

/** With a review open or not it is the same page, which stays as it is while one is opened and closed. */
const inbox = createRoute({
  getParentRoute: () => app,
  id: 'inbox',
  validateSearch: readInboxSearch,
  component: InboxPage,
})

const list = createRoute({ getParentRoute: () => inbox, path: '/' })

const review = createRoute({ getParentRoute: () => inbox, path: '/reviews/$reviewId' })

/** With a session open or not it is the same page. */
const chats = createRoute({
  getParentRoute: () => app,
  id: 'chats',
  validateSearch: readChatSearch,
  component: lazyRouteComponent(() => import('./sessions-page'), 'SessionsPage'),
})

const sessions = createRoute({ getParentRoute: () => chats, path: '/sessions' })

const session = createRoute({ getParentRoute: () => chats, path: '/sessions/$sessionId' })

const insights = createRoute({
  getParentRoute: () => app,
  path: '/insights',
  validateSearch: readInsightsSearch,
  component: lazyRouteComponent(() => import('@/features/insights/insights-page'), 'InsightsPage'),
})

const reviewTypes = createRoute({
  getParentRoute: () => app,
  path: '/review-types',
  component: lazyRouteComponent(() => import('@/features/forms/list/review-types-page'), 'ReviewTypesPage'),
})

const reviewTypeEditor = createRoute({
  getParentRoute: () => app,
  path: '/review-types/$formId',
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import('@/features/forms/editor/editor-page'), 'EditorPage'),
})

const trigger = createRoute({
  getParentRoute: () => app,
  path: '/triggers/$formId',
  validateSearch: (raw: Record<string, unknown>): { session?: string } => ({ session: text(raw.session) }),
  component: lazyRouteComponent(() => import('@/features/triggers/trigger-page'), 'TriggerPage'),
})

const run = createRoute({
  getParentRoute: () => app,
  path: '/runs/$runId',
  component: lazyRouteComponent(() => import('@/features/runs/run-page'), 'RunPage'),
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
  component: lazyRouteComponent(() => import('@/features/settings/settings-page'), 'SettingsPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
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
  basepath: ROOT,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
