import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { HistoryEntry, Revision } from '@/api/review'
import { i18n } from '@/lib/i18n'
import { HistoryEntryText } from './history-entry-text'
import { buildTimeline, type TimelineEntry } from './timeline'

const entry = (action: string, kind = 'user', details?: Record<string, unknown>): HistoryEntry => ({
  at: '2026-11-15T08:00:00Z',
  action,
  actor: { kind, id: 'x', name: 'ann@example.com' },
  ...(details && { details }),
})
const revision = (number: number, instructions?: string): Revision => ({
  revision: number,
  createdAt: '2026-11-15T08:00:00Z',
  data: {},
  ...(instructions && { retry: { at: '', by: 'ann@example.com', instructions, fieldIds: ['headline'] } }),
})

const markup = (moment: TimelineEntry): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <HistoryEntryText moment={moment} />
    </I18nProvider>,
  )
const words = (moments: readonly TimelineEntry[]): string[] =>
  moments.map(moment =>
    markup(moment)
      .replace(/<[^>]*>/g, '')
      .replaceAll('&#x27;', "'"),
  )

it('says what happened as sentences, with what people said', () => {
  const moments = buildTimeline(
    [
      entry('review.requested', 'key'),
      entry('review.retry_requested', 'user', { instructions: 'Shorter.' }),
      entry('review.updated', 'key', { revision: 2 }),
      entry('review.rejected', 'external'),
      entry('delivery.retried'),
      entry('review.link_renewed', 'external'),
      entry('review.something_new', 'system'),
    ],
    [revision(1, 'Shorter.'), revision(2)],
    { agentName: 'Writer', reason: 'Still too long.' },
  )
  expect(words(moments)).toEqual([
    'Writer (API key “ann@example.com”) requested this review',
    'ann@example.com requested changes',
    'Writer (API key “ann@example.com”) sent a new revision',
    'ann@example.com (external) rejected this review',
    'ann@example.com retried a delivery',
    'ann@example.com (external) requested a new link',
    'Signoff updated this review',
  ])
  expect(moments[1]).toMatchObject({ quote: 'Shorter.', fieldIds: ['headline'] })
  expect(moments[2]).toMatchObject({ revision: 2 })
  expect(moments[3]).toMatchObject({ quote: 'Still too long.' })
})

it('says what deadlines did, and what became of change requests', () => {
  const moments = buildTimeline(
    [
      entry('review.retry_requested', 'user', { instructions: 'Shorter.' }),
      entry('review.retry_reminded', 'system', { reminder: 1 }),
      entry('review.retry_withdrawn'),
      entry('review.retry_requested', 'user', { instructions: 'Longer.' }),
      entry('review.reminded', 'system', { step: 1 }),
      entry('review.reminded', 'system', { step: 2, insteadOf: 'handOver' }),
      entry('review.handed_over', 'system', { to: { users: ['eda@example.com'], groups: [], external: [] } }),
      entry('review.extended', 'user', { to: '2026-11-16T08:00:00Z', note: 'Ann is away' }),
      { ...entry('review.rejected', 'system'), actor: { kind: 'system', id: 'system', name: 'time-out' } },
    ],
    [revision(1, 'Longer.')],
  )
  expect(words(moments)).toEqual([
    'ann@example.com requested changes',
    'Signoff reminded the agent',
    'ann@example.com withdrew the change request',
    'ann@example.com requested changes',
    'Signoff reminded the reviewers',
    "Couldn't escalate: no active reviewers left to escalate to. Reminded the current reviewers instead.",
    'Deadline passed. Escalated to eda@example.com',
    expect.stringMatching(/^ann@example.com extended the deadline to .*16/),
    'Auto-rejected because the deadline passed',
  ])
  // A withdrawn request keeps its instructions, but not its fields.
  expect(moments[0]).toMatchObject({ quote: 'Shorter.' })
  expect(moments[0]).not.toHaveProperty('fieldIds')
  expect(moments[3]).toMatchObject({ quote: 'Longer.', fieldIds: ['headline'] })
  expect(moments[7]).toMatchObject({ quote: 'Ann is away' })
})

it('says who was assigned', () => {
  const assigned = (to: object) => entry('review.assigned', 'user', { to })
  const moments = buildTimeline(
    [
      assigned({ users: ['eda@example.com'], groups: ['grp_1', 'grp_2'], external: ['kai@example.org'] }),
      assigned({ users: [], groups: ['grp_1'], external: [] }),
      assigned({ users: [], groups: [], external: [] }),
    ],
    [],
  )
  expect(words(moments)).toEqual([
    'ann@example.com assigned this to eda@example.com, 2 groups, and kai@example.org (external)',
    'ann@example.com assigned this to 1 group',
    'ann@example.com removed all reviewers',
  ])
})

it('takes nothing in a name for markup', () => {
  const [moment] = buildTimeline(
    [{ ...entry('review.approved'), actor: { kind: 'user', id: 'x', name: '<0/> {who}' } }],
    [],
  )
  expect(moment && markup(moment)).toContain('&lt;0/&gt; {who}</bdi> approved this review')
})
