import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { i18n } from '@/lib/i18n'

/** The errors of a single sign-on, and what to do about them. */
const TEXTS: Record<string, MessageDescriptor> = {
  oidc_not_configured: msg`Single sign-on isn't set up here. Sign in with your password.`,
  next_refused: msg`That link pointed outside this app. Sign in to go to your inbox.`,
  oidc_denied: msg`Your identity provider declined the sign-in. Try again, or use your password.`,
  oidc_state_missing: msg`We couldn't match this sign-in to your browser. Make sure cookies are on and try again.`,
  oidc_state_foreign: msg`This sign-in was started in another browser. Try again here.`,
  oidc_state_expired: msg`This sign-in timed out. Try again.`,
  oidc_state_reused: msg`This sign-in was already completed. Try again.`,
  oidc_token_invalid: msg`We couldn't verify the response from your identity provider. Try again. If it keeps happening, contact an admin.`,
  oidc_email_unverified: msg`Your email isn't verified with your identity provider. Verify it there and try again.`,
  oidc_email_missing: msg`Your identity provider didn't send your email address. Ask an admin to check its setup.`,
  oidc_email_invalid: msg`Your identity provider sent an email address that isn't valid. Ask an admin to correct it there.`,
  oidc_not_invited: msg`Your email doesn't belong to a member of this workspace. Ask an admin to invite you.`,
  oidc_person_disabled: msg`Your account is deactivated. Contact an admin.`,
  oidc_email_linked: msg`Your email is already linked to a different SSO account. Contact an admin.`,
  oidc_unavailable: msg`Your identity provider isn't responding. Try again in a moment.`,
}

export function getOidcErrorText(code: string): string {
  const known = TEXTS[code]
  return known ? i18n._(known) : t`Couldn't sign you in. Try again. If it keeps happening, contact an admin.`
}
