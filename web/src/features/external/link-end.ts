/** Derives how a link ended from the service's error. */

import { ApiError } from '@/api/client'
import { type Language, matchLanguage } from '@/lib/i18n'

export type LinkEnd =
  | {
      kind: 'answered'
      response: 'approved' | 'rejected' | null
      by: string | null
      at: string | null
      isMine: boolean
    }
  | { kind: 'deleted' | 'reassigned' | 'expired' | 'unknown' }

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Null: the error isn't about the link, and trying again may help. */
export function getLinkEnd(error: unknown): LinkEnd | null {
  if (!(error instanceof ApiError)) return null
  switch (error.code) {
    case 'link_answered': {
      const { response, respondingUser, respondedAt, byYou } = error.problem
      return {
        kind: 'answered',
        response: response === 'approved' || response === 'rejected' ? response : null,
        by: text(respondingUser),
        at: text(respondedAt),
        isMine: byYou === true,
      }
    }
    case 'link_deleted':
      return { kind: 'deleted' }
    case 'link_reassigned':
      return { kind: 'reassigned' }
    case 'link_expired':
      return { kind: 'expired' }
  }
  return [401, 403, 404, 410].includes(error.status) ? { kind: 'unknown' } : null
}

/** The language that the request chose for its external reviewers, for the page that says how the link ended. */
export const getLinkLanguage = (error: unknown): Language | undefined =>
  error instanceof ApiError ? matchLanguage(error.problem.language) : undefined
