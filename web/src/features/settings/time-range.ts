import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { getUtcOffset } from '@/lib/time'
import type { SettingsSearch } from './search-params'

const HOUR = 3_600_000

export const RANGE_MS: Record<string, { label: MessageDescriptor; length: number }> = {
  '1h': { label: msg`Last hour`, length: HOUR },
  '24h': { label: msg`Last 24 hours`, length: 24 * HOUR },
  '7d': { label: msg`Last 7 days`, length: 7 * 24 * HOUR },
  '30d': { label: msg`Last 30 days`, length: 30 * 24 * HOUR },
}

const toTimestamp = (local: string | undefined): string | undefined => {
  // A typed time is in the member's time zone; a time with its own zone stays as it is.
  const isWallClock = local !== undefined && /T[\d:.]+$/.test(local)
  const at = local ? new Date(isWallClock ? local + getUtcOffset(local) : local) : undefined
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined
}

/** The time range of a URL, as the API takes it. A relative range starts at a full minute. */
export function toTimeRange(search: SettingsSearch, now: number): { since?: string; until?: string } {
  const within = search.within ? RANGE_MS[search.within] : undefined
  if (within) {
    const begin = Math.floor((now - within.length) / 60_000) * 60_000
    return { since: new Date(begin).toISOString() }
  }
  const since = toTimestamp(search.since)
  const until = toTimestamp(search.until)
  return { ...(since && { since }), ...(until && { until }) }
}
