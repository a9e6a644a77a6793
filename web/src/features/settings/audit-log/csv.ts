import type { Entry } from '@/api/settings/audit-log'

const COLUMNS: readonly (readonly [string, (entry: Entry) => string])[] = [
  ['entryId', entry => entry.entryId],
  ['at', entry => entry.at],
  ['actorKind', entry => entry.actor.kind],
  ['actorId', entry => entry.actor.id],
  ['actorName', entry => entry.actor.name],
  ['action', entry => entry.action],
  ['objectId', entry => entry.objectId],
  ['details', entry => (entry.details ? JSON.stringify(entry.details) : '')],
  ['ip', entry => entry.ip ?? ''],
  ['requestId', entry => entry.requestId ?? ''],
]

/** Always quoted; text that a spreadsheet would run as a formula is escaped. */
function escapeCell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${harmless.replaceAll('"', '""')}"`
}

export function toCsv(entries: readonly Entry[]): string {
  const lines = [
    COLUMNS.map(([name]) => escapeCell(name)),
    ...entries.map(entry => COLUMNS.map(([, read]) => escapeCell(read(entry)))),
  ]
  return `${lines.map(line => line.join(',')).join('\r\n')}\r\n`
}

export function downloadFile(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
