/** The text without case and accents. */
export const toSearchable = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a text contains every word of a search, ignoring case and accents. */
export function matchesSearch(text: string, search: string): boolean {
  const searchable = toSearchable(text)
  return toSearchable(search)
    .split(/\s+/)
    .every(word => searchable.includes(word))
}
