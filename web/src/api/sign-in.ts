import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'

export type SignInMethods = Schemas['SignInMethods']
export type LinkInfo = Schemas['LinkInfo']

/** The sign-in methods of this service. */
export const methodsQuery = queryOptions({
  queryKey: ['sign-in', 'methods'],
  queryFn: ({ signal }) => data(api.GET('/auth/methods', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Who a one-time link is for. Reading this doesn't use the link up. */
export const linkInfoQuery = (token: string) =>
  queryOptions({
    queryKey: ['sign-in', 'link', token],
    queryFn: ({ signal }) => data(api.POST('/auth/linkInfo', { body: { token }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

export const signIn = (email: string, password: string) =>
  data(api.POST('/auth/login', { body: { email, password } }))

export const signInByLink = (token: string, password: string) =>
  data(api.POST('/auth/link', { body: { token, password } }))
