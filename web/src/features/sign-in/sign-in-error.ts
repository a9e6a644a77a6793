import { plural, t } from '@lingui/core/macro'
import { isStatus } from '@/api/client'

export function getSignInError(error: Error): string {
  if (isStatus(error, 401)) return t`Incorrect email or password.`
  if (isStatus(error, 429)) {
    const seconds = Number(error.problem.retryAfter ?? 900)
    const minutes = Math.max(1, Math.ceil(seconds / 60))
    return t`Too many failed attempts. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}. Until then, even the correct password won't work.`
  }
  return error.message
}
