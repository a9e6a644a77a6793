/**
 * Where a sign-in leads: a path of our own, whatever the link to the sign-in page says.
 *
 * `next` comes in two forms: as the browser shows it, and as the router has it, without the path of a proxy in front of
 * us. The result is as the browser shows it, fully escaped.
 */
export function getNextPath(next: string | undefined, root: string, origin: string): string {
  if (!next?.startsWith('/')) return root
  let address: URL
  try {
    // The browser's own parser decides what `//host`, `/\host` or a tab in between means.
    address = new URL(next, origin)
  } catch {
    return root
  }
  if (address.origin !== origin) return root
  const path = address.pathname.startsWith(root) ? address.pathname : root + address.pathname.slice(1)
  // A path that starts with two slashes is read as another host the next time.
  if (path.startsWith('//') || path === `${root}sign-in`) return root
  return path + address.search + address.hash
}
