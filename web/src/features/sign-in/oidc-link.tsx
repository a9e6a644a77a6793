import { t } from '@lingui/core/macro'
import { BASE_PATH } from '@/api/client'
import type { SignInMethods } from '@/api/sign-in'
import { getNextPath } from './next-path'

/** A link to the identity provider, which returns to `next`. */
export function ContinueWith({
  oidc,
  next,
  target,
}: {
  oidc: NonNullable<SignInMethods['oidc']>
  next: string | undefined
  target?: '_blank'
}) {
  const address = new URL(oidc.startUrl, document.baseURI)
  if (next) address.searchParams.set('next', getNextPath(next, BASE_PATH, location.origin))
  return (
    <>
      <a
        href={address.href}
        target={target}
        className="inline-flex h-8 items-center justify-center rounded-md border border-line bg-surface px-3 font-medium hover:bg-sunken pointer-coarse:min-h-11"
      >
        {t`Continue with ${{ providerName: oidc.name }}`}
      </a>
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t({ message: 'or', comment: 'Between two ways to sign in' })}
      </p>
    </>
  )
}
