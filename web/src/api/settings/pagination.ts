const MAX_PAGES = 25

type Page<T> = { items: T[]; nextCursor?: string | null }

/** A complete list of something that an account has few of. Limited to 25 pages of 200. */
export async function fetchAllPages<T>(read: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await read(cursor)
    items.push(...page.items)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  return items
}
