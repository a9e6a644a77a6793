import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Review, retryMedia, reviewKeys } from '@/api/review'
import { useMay } from '@/api/session'
import type { Media } from '@/form'

export const getMedia = (review: Review): Media => ({
  fileCache: review.fileCache ?? null,
  notices: review.mediaNotices ?? null,
})

/** Retries copying a file of the review; undefined for members who aren't allowed to. */
export function useRetryMedia(reviewId: string): ((url: string) => Promise<void>) | undefined {
  const client = useQueryClient()
  const may = useMay('decide')
  const retry = useCallback(
    async (url: string) => {
      client.setQueryData(reviewKeys.review(reviewId), await retryMedia(reviewId, url))
    },
    [client, reviewId],
  )
  return may ? retry : undefined
}
