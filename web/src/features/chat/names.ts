import type { SessionRow } from '@/api/sessions'

/** What a session is called: its name, or whom one talks to. */
export const titleOf = (session: Pick<SessionRow, 'name' | 'agentName'>): string =>
  session.name ?? session.agentName

/** A file's size for people: `840 KB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}
