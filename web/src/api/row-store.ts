/**
 * The rows of lists, by ID. A list keeps IDs and reads its rows from here, so a change shows in every list at once, and
 * the response of a read that started before the change can't undo it.
 */

import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'
import { useMemo, useRef, useSyncExternalStore } from 'react'

/** Reads and changes are numbered in the order in which they start. */
let latest = 0

/** Call this before a read. The response doesn't have changes with higher numbers. */
export const startRead = (): number => {
  latest += 1
  return latest
}

type Entry<Row> = {
  /** Null: deleted. */
  row: Row | null
  /** The number of the read or change that last changed the row. */
  changed: number
  /** The number of the last read or change that had the row. */
  confirmed: number
}

/** With fewer rows, dropping unneeded ones isn't worthwhile. */
const LARGE_SIZE = 2_000

export class RowStore<Row> {
  readonly getId: (row: Row) => string
  readonly #getVersion: (row: Row) => string
  readonly #entries = new Map<string, Entry<Row>>()
  readonly #listeners = new Set<() => void>()
  #revision = 0
  #largeSize = LARGE_SIZE

  /** `getVersion`: increases with every change of a row. Absent: the rows have no version. */
  constructor(getId: (row: Row) => string, getVersion: (row: Row) => string = () => '') {
    this.getId = getId
    this.#getVersion = getVersion
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Changes whenever a row changes. */
  getRevision = (): number => this.#revision

  get entries(): ReadonlyMap<string, Entry<Row>> {
    return this.#entries
  }

  get = (id: string): Row | undefined => this.#entries.get(id)?.row ?? undefined

  /** Adds the rows of a response. `started` is the number of the read. */
  addResponse(rows: readonly Row[], started: number): void {
    this.#set(rows, started, (row, known) => {
      const isLaterRead = started > known.confirmed
      return isLaterRead || (known.row !== null && this.#compareVersions(row, known.row) > 0)
    })
  }

  /** Adds rows that have just changed. The live stream may report a state that a read has already overtaken. */
  addChanges(rows: readonly Row[]): void {
    this.#set(
      rows,
      startRead(),
      (row, known) => known.row === null || this.#compareVersions(row, known.row) >= 0,
    )
  }

  delete(ids: readonly string[]): void {
    const number = startRead()
    for (const id of ids) this.#entries.set(id, { row: null, changed: number, confirmed: number })
    if (ids.length > 0) this.#notify()
  }

  get isLarge(): boolean {
    return this.#entries.size >= this.#largeSize
  }

  /** Drops all other rows. Call it only while no list is being read. */
  keep(isNeeded: (row: Row) => boolean): void {
    for (const [id, { row }] of this.#entries) if (row === null || !isNeeded(row)) this.#entries.delete(id)
    this.#largeSize = Math.max(LARGE_SIZE, this.#entries.size * 2)
    this.#notify()
  }

  clear(): void {
    this.#entries.clear()
    this.#notify()
  }

  #set(rows: readonly Row[], number: number, isCurrent: (row: Row, known: Entry<Row>) => boolean): void {
    let hasChanged = false
    for (const row of rows) {
      const id = this.getId(row)
      const known = this.#entries.get(id)
      if (known && !isCurrent(row, known)) continue
      // An unchanged row stays the same object, so that nothing renders again.
      const shared = known ? (replaceEqualDeep(known.row, row) as Row) : row
      const isSame = known !== undefined && shared === known.row
      this.#entries.set(id, {
        row: shared,
        changed: isSame ? known.changed : number,
        confirmed: Math.max(number, known?.confirmed ?? 0),
      })
      hasChanged ||= !isSame
    }
    if (hasChanged) this.#notify()
  }

  #compareVersions(a: Row, b: Row): number {
    const [first, second] = [this.#getVersion(a), this.#getVersion(b)]
    return first === second ? 0 : first > second ? 1 : -1
  }

  #notify(): void {
    this.#revision += 1
    for (const listener of this.#listeners) listener()
  }
}

/** A page of a list, as the cache has it. */
export type RowPage = {
  ids: readonly string[]
  nextCursor: string | undefined
  /** The number of the read. */
  started: number
  /** The position of its last row. Absent: no page follows. */
  end: string | undefined
}

export type RowList = InfiniteData<RowPage, string | undefined>

/** Reads a page of a list: the rows go into the store, and the list keeps their IDs. */
export async function readPage<Row>(
  store: RowStore<Row>,
  getPosition: (row: Row) => string,
  read: () => Promise<{ items: readonly Row[]; nextCursor?: string | null }>,
): Promise<RowPage> {
  const started = startRead()
  const { items, nextCursor } = await read()
  store.addResponse(items, started)
  const last = items.at(-1)
  return {
    ids: items.map(store.getId),
    nextCursor: nextCursor ?? undefined,
    started,
    end: nextCursor && last ? getPosition(last) : undefined,
  }
}

export type ListRules<Row> = {
  /** Whether a row belongs in the list. `unknown`: only the service can tell. */
  match: (row: Row) => 'yes' | 'no' | 'unknown'
  /** Lists are sorted by this, in descending order unless `isAscending`. */
  getPosition: (row: Row) => string
  isAscending?: boolean
}

/** The current rows of a list: those that the service listed, and those that have changed since. */
export function selectRows<Row>(
  store: RowStore<Row>,
  pages: readonly RowPage[],
  { match, getPosition, isAscending = false }: ListRules<Row>,
): Row[] {
  const rows: Row[] = []
  const listed = new Set<string>()
  for (const { ids, started } of pages)
    for (const id of ids) {
      const entry = store.entries.get(id)
      if (listed.has(id) || !entry?.row) continue
      listed.add(id)
      // A row that hasn't changed since is in the list because the service says so.
      if (entry.changed <= started || match(entry.row) !== 'no') rows.push(entry.row)
    }
  const isBeyond = (position: string, end: string) => (isAscending ? position > end : position < end)
  for (const [id, { row, changed }] of store.entries) {
    if (row === null || listed.has(id)) continue
    // Rows beyond the last page come by paging.
    const page = pages.find(({ end }) => end === undefined || !isBeyond(getPosition(row), end))
    if (page && changed > page.started && match(row) === 'yes') rows.push(row)
  }
  const order = isAscending ? 1 : -1
  return rows.sort((a, b) => {
    const [first, second] = [getPosition(a), getPosition(b)]
    return first === second ? 0 : first > second ? order : -order
  })
}

/** Only the first pages of a list; scrolling loads the rest. */
export const getFirstPages = <Page, Cursor>(
  list: InfiniteData<Page, Cursor>,
  count: number,
): InfiniteData<Page, Cursor> =>
  list.pages.length <= count
    ? list
    : { pages: list.pages.slice(0, count), pageParams: list.pageParams.slice(0, count) }

/** The selected rows. The component renders again only if one of them changes; `select` has to be stable. */
export function useRows<Row>(store: RowStore<Row>, select: () => readonly Row[]): readonly Row[] {
  const last = useRef<readonly Row[]>([])
  const getSnapshot = useMemo(() => {
    let revision = -1
    let rows = last.current
    return () => {
      if (revision === store.getRevision()) return rows
      revision = store.getRevision()
      const selected = select()
      if (selected.length !== rows.length || selected.some((row, at) => row !== rows[at])) rows = selected
      last.current = rows
      return rows
    }
  }, [store, select])
  return useSyncExternalStore(store.subscribe, getSnapshot)
}

/** The row with this ID, if it's known. */
export const useRow = <Row>(store: RowStore<Row>, id: string | undefined): Row | undefined =>
  useSyncExternalStore(store.subscribe, () => (id === undefined ? undefined : store.get(id)))
