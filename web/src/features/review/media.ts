import type { Review } from '@/api/review'
import type { Media } from '@/form'

export const mediaOf = (review: Review): Media => ({
  fileCache: review.fileCache ?? null,
  notices: review.mediaNotices ?? null,
})
