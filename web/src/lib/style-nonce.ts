/** The nonce that style sheets created at runtime need: the page's policy blocks others. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
