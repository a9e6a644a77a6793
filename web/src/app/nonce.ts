declare global {
  var __webpack_nonce__: string | undefined
}

/** The one style sheet that a library makes while running (it locks scrolling behind a dialog) carries the page's nonce. */
export function allowLibraryStyles() {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content
  if (nonce) globalThis.__webpack_nonce__ = nonce
}
