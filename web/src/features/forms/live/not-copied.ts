import { t } from '@lingui/core/macro'
import type { Media } from '@/form'

/** For previews: files are copied only when a review is created, so none is fetched before that. */
export const NOT_COPIED: Media = {
  get later() {
    return t`Images and videos appear once a review is created.`
  },
}
