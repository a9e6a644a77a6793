import { useEffect, useRef, useState } from 'react'
import { api, data } from '@/api/client'
import { classifyError, getRetryDelay } from '@/api/failures'
import type { AuditFilters, Entry } from '@/api/settings/audit-log'
import { downloadFile, toCsv } from './csv'

const PAGE_SIZE = 200
const RETRY_DELAYS = [1_000, 4_000, 15_000]

/** Exports every entry that matches the filters as CSV, not only the ones on the page. */
export function useExport(filters: AuditFilters) {
  /** The number of entries read so far; null: no export is running. */
  const [count, setCount] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController | null>(null)
  const cancel = () => {
    running.current?.abort()
    setCount(null)
  }
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setCount(0)
    setError(null)
    try {
      const entries = await fetchAll(filters, signal, setCount)
      if (!signal.aborted) downloadFile('audit-log.csv', toCsv(entries))
    } catch (reason) {
      if (!signal.aborted) setError(reason)
    }
    if (!signal.aborted) setCount(null)
  }
  return { count, error, start, cancel }
}

async function fetchAll(filters: AuditFilters, signal: AbortSignal, onCount: (count: number) => void) {
  const entries: Entry[] = []
  let cursor: string | undefined
  do {
    const page = await fetchPage(filters, cursor, signal)
    if (signal.aborted) break
    entries.push(...page.items)
    onCount(entries.length)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return entries
}

/** Reads a page, and retries after a pause if the server is busy: a long export shouldn't fail at its end. */
async function fetchPage(filters: AuditFilters, cursor: string | undefined, signal: AbortSignal) {
  for (let failures = 0; ; ) {
    try {
      return await data(
        api.GET('/auditLog', { params: { query: { ...filters, cursor, limit: PAGE_SIZE } }, signal }),
      )
    } catch (error) {
      failures += 1
      const failure = classifyError(error)
      if (signal.aborted || !failure.isTemporary || failures > RETRY_DELAYS.length) throw error
      await new Promise(resolve => setTimeout(resolve, getRetryDelay(failure, failures, RETRY_DELAYS)))
    }
  }
}
