import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SettingsSearch } from './search-params'

const ROUTE = '/app/settings/$section'

/** The filters in the URL, and a function that changes some of them. Empty filters are removed from the URL. */
export function useSearchFilters() {
  const search = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/settings/$section' })
  const change = useCallback(
    (part: SettingsSearch, { replace = true }: { replace?: boolean } = {}) =>
      navigate({
        search: before => withoutEmpty({ ...before, ...part }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  return { search, change }
}

export function useOpenSection() {
  const navigate = useNavigate()
  return useCallback(
    (section: string, search: SettingsSearch) =>
      navigate({ to: '/settings/$section', params: { section }, search }),
    [navigate],
  )
}

const withoutEmpty = (search: SettingsSearch): SettingsSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value))
