/** What went wrong on the way to the identity provider and back, and what to do about it. */
const WORDS: Record<string, string> = {
  oidc_not_configured: 'This installation has no identity provider to sign in through.',
  next_refused: 'The link that led here was not one of ours. Sign in, and you get to your inbox.',
  oidc_denied: 'Your identity provider did not sign you in. Try again, or use your password.',
  oidc_state_missing: 'That sign-in was not begun in this browser, or its cookies are gone. Begin again.',
  oidc_state_foreign: 'That sign-in was begun in another browser. Begin again here.',
  oidc_state_expired: 'That sign-in took too long. Begin again.',
  oidc_state_reused: 'That sign-in was finished before. Begin again.',
  oidc_token_invalid:
    'The answer of your identity provider could not be accepted. Try again; if it stays so, tell an administrator.',
  oidc_email_unverified:
    'Your identity provider does not vouch for your e-mail address. Confirm it there first.',
  oidc_email_missing:
    "Your identity provider didn't send your email address. Ask an admin to check its setup.",
  oidc_email_invalid:
    "Your identity provider sent an email address that isn't valid. Ask an admin to correct it there.",
  oidc_not_invited:
    'Nobody with your e-mail address is a member here. Ask an administrator for an invitation.',
  oidc_person_disabled: 'Your access was disabled. Ask an administrator.',
  oidc_email_linked:
    'Your e-mail address already belongs to another person at the identity provider. Ask an administrator.',
  oidc_unavailable: 'Your identity provider does not answer. Try again in a moment.',
}

export const oidcErrorWords = (code: string): string =>
  WORDS[code] ?? 'The sign-in did not work. Try again; if it stays so, tell an administrator.'
