import { describe, expect, it } from 'vitest'
import type { Entry } from '@/api/settings/audit-log'
import { toCsv } from './csv'

const entry: Entry = {
  entryId: '7',
  at: '2026-11-15T02:59:27.767Z',
  actor: { kind: 'user', id: 'usr_1', name: '=cmd()"x"' },
  action: 'review.approved',
  objectId: 'rev_1',
  details: { note: 'a, "b"' },
  ip: null,
  requestId: null,
}

describe('toCsv', () => {
  it('has a heading and a line for each entry', () => {
    const [heading, line, ...rest] = toCsv([entry]).split('\r\n')
    expect(heading).toContain('"entryId","at"')
    expect(line).toContain('"7","2026-11-15T02:59:27.767Z","user"')
    expect(rest).toEqual([''])
  })

  it('escapes quotes, and makes text of formulas', () => {
    const text = toCsv([entry])
    expect(text).toContain(`"'=cmd()""x"""`)
    expect(text).toContain('"{""note"":""a, \\""b\\""""}"')
  })
})
