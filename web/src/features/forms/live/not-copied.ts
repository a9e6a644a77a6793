import type { Media } from '@/form'

/** For everything that is shown before there is a review: nothing is fetched then. */
export const NOT_COPIED: Media = {
  later: 'pictures and videos are copied when a review is made, and shown in it',
}
