/** The query parameters of the settings, so that a page can be shared and gone back to. */

const NAMES = [
  /** The message or entry whose details are open. */
  'open',
  'channel',
  'status',
  'agent',
  'form',
  'target',
  'event',
  'actor',
  'kind',
  'action',
  'object',
  'within',
  'since',
  'until',
  /** The token of a confirmation link. */
  'confirmEmail',
] as const

export type SettingsSearch = { [name in (typeof NAMES)[number]]?: string }

/** Reads a URL from any source: unknown or malformed parameters are dropped. */
export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  const search: SettingsSearch = {}
  for (const name of NAMES) {
    const value = raw[name]
    if (typeof value === 'number') search[name] = String(value)
    if (typeof value === 'string' && value) search[name] = value.slice(0, 200)
  }
  return search
}
