// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { collectOwnEdits, type OwnDraft } from './own-edits'

const rows = ['a', 'b', 'c', 'd', 'e'].map(reviewId => ({ reviewId, revision: 2 }))

describe('collectOwnEdits', () => {
  it('tells edits to this content from edits to older content, and from none', () => {
    const { current, outdated } = collectOwnEdits(
      rows,
      new Map<string, OwnDraft | null>([
        ['a', { data: { headline: 'Mine' }, revision: 2 }],
        ['b', { data: { headline: 'Mine' }, revision: 1 }],
        ['c', { data: {}, revision: 2 }],
        ['d', null],
        ['unknown', { data: { headline: 'Not selected' }, revision: 2 }],
      ]),
    )
    expect([...current]).toEqual([['a', { headline: 'Mine' }]])
    expect([...outdated]).toEqual(['b'])
  })
})
