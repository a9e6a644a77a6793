declare global {
  var __webpack_nonce__: string | undefined
}

/**
 * Gives the page's nonce to the one style sheet that a library creates at runtime (it locks scrolling behind a dialog).
 */
export function allowLibraryStyles() {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content
  if (nonce) globalThis.__webpack_nonce__ = nonce
}
