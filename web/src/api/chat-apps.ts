import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { API, api, data, inPageLanguage, type Schemas } from './client'

export type ChatApp = Schemas['ChatApp']
export type AppName = ChatApp['app']
export type ChannelError = Schemas['ChannelState']
export type ChatAppTestOutcome = Schemas['ChatAppTestOutcome']
export type Channels = {
  default: string | null
  agents: Record<string, string>
  forms: Record<string, string>
}
export type Credentials =
  | { app: 'slack'; botToken: string; signingSecret: string | null }
  | { app: 'mattermost'; serverUrl: string; botToken: string }
  | { app: 'mattermost'; webhookUrl: string }

/** Errors appear and clear up while the page is open. */
const POLL_INTERVAL = 10_000

const chatAppsKey = ['chat-apps'] as const

export const chatAppsQuery = queryOptions({
  queryKey: [...chatAppsKey, 'list'],
  queryFn: async ({ signal }) => (await data(api.GET('/chatApps', { signal }))).items,
  refetchInterval: POLL_INTERVAL,
})

export const channelsQuery = (app: AppName) =>
  queryOptions({
    queryKey: [...chatAppsKey, 'channels', app],
    queryFn: async ({ signal }) =>
      (await data(
        api.GET('/chatApps/{app}/channels', { params: { path: { app } }, signal }),
      )) as unknown as Channels,
  })

/** The URL that Slack sends clicks to. */
export const interactivityUrl = () => new URL(`${API}/slack/interactivity`, window.location.origin).href

/** Credentials are dropped from the cache as soon as they are sent. */
export function useConnectChatApp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (credentials: Credentials) => {
      if (credentials.app === 'slack') {
        const { botToken, signingSecret } = credentials
        await api.PUT('/chatApps/slack', { body: { botToken, signingSecret } })
      } else {
        const { app: _, ...body } = credentials
        await api.PUT('/chatApps/mattermost', { body })
      }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: chatAppsKey }),
    gcTime: 0,
  })
}

export function useDisconnectChatApp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (app: AppName) => {
      await api.DELETE(app === 'slack' ? '/chatApps/slack' : '/chatApps/mattermost')
    },
    onSuccess: () => client.invalidateQueries({ queryKey: chatAppsKey }),
  })
}

/** Resolves with the result, also when the test failed. */
export function useTestChatApp(app: AppName) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (channel: string) =>
      inPageLanguage(
        await data(api.POST('/chatApps/{app}/test', { params: { path: { app } }, body: { channel } })),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: chatAppsQuery.queryKey }),
  })
}

export function useSaveChannels(app: AppName) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Channels) =>
      (await data(
        api.PUT('/chatApps/{app}/channels', { params: { path: { app } }, body }),
      )) as unknown as Channels,
    onSuccess: saved => {
      client.setQueryData(channelsQuery(app).queryKey, saved)
      client.invalidateQueries({ queryKey: chatAppsQuery.queryKey })
    },
  })
}
