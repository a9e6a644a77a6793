import type { MessageFilters } from '@/api/settings/outgoing-messages'
import type { SettingsSearch } from '../search-params'
import { toTimeRange } from '../time-range'

const CHANNELS: readonly string[] = ['webhook', 'mail', 'chat', 'media']
const STATES: readonly string[] = ['queued', 'sending', 'sent', 'failed', 'unclear']

/** The filters of a URL, as the API takes them. Unknown channels and states are dropped. */
export function getFilters(search: SettingsSearch, now: number): MessageFilters {
  const known = (value: string | undefined, values: readonly string[]) =>
    value !== undefined && values.includes(value) ? value : undefined
  return {
    channel: known(search.channel, CHANNELS) as MessageFilters['channel'],
    state: known(search.status, STATES) as MessageFilters['state'],
    agentId: search.agent,
    formId: search.form,
    target: search.target as MessageFilters['target'],
    event: search.event,
    ...toTimeRange(search, now),
  }
}
