/**
 * Where a sign-in leads to: a path of our own, whatever the link to the sign-in page says.
 *
 * `next` comes in two forms: as the browser shows it, and as the router has it, without the path of a proxy
 * before us. The result is as the browser shows it, with everything escaped.
 */
export function getNextPath(next: string | undefined, root: string, origin: string): string {
  if (!next?.startsWith('/')) return root
  let address: URL
  try {
    // The browser's own reading settles what `//host`, `/\host` or a tab in between would mean.
    address = new URL(next, origin)
  } catch {
    return root
  }
  if (address.origin !== origin) return root
  const path = address.pathname.startsWith(root) ? address.pathname : root + address.pathname.slice(1)
  // A path with two slashes at its beginning is another host when it is read again.
  if (path.startsWith('//') || path === `${root}sign-in`) return root
  return path + address.search + address.hash
}
