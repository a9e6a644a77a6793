/** What style sheets that are made while the page runs have to carry: the page's policy refuses others. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
