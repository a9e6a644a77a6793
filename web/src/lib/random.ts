/** An ID that nobody else makes. Also on pages that came over plain HTTP, where browsers make no UUIDs. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
