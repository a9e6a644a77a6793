// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { prefetchReview, reviewKeys } from './review'

afterEach(() => vi.unstubAllGlobals())

it('reading ahead does not fail when somebody who reads the same does not want it any more', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const client = new QueryClient()
  const read = prefetchReview(client, 'rev_1')
  await client.cancelQueries({ queryKey: reviewKeys.all('rev_1') })
  await expect(read).resolves.toBeUndefined()
})
