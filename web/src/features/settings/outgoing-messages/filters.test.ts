import { describe, expect, it } from 'vitest'
import type { OutgoingMessageRow } from '@/api/settings/outgoing-messages'
import { getFilters } from './filters'
import { getContext, getDestination, getStateLabel } from './labels'

const row = (part: Partial<OutgoingMessageRow>): OutgoingMessageRow => ({
  messageId: 'whd_1',
  channel: 'webhook',
  destination: 'https://hooks.example.com',
  state: 'sent',
  canceled: false,
  subject: { text: 'review.completed' },
  attemptCount: 1,
  createdAt: '2026-11-01T00:00:00Z',
  actions: [],
  ...part,
})

describe('getFilters', () => {
  it('passes on what the API knows', () => {
    expect(getFilters({ channel: 'mail', status: 'failed' }, 0)).toMatchObject({
      channel: 'mail',
      state: 'failed',
    })
    expect(getFilters({ agent: 'agt_1', target: 'tool', event: 'review.completed' }, 0)).toMatchObject({
      agentId: 'agt_1',
      target: 'tool',
      event: 'review.completed',
    })
  })

  it('drops unknown channels and states, such as those of an old link', () => {
    expect(getFilters({ channel: 'fax', status: 'dead' }, 0)).toMatchObject({
      channel: undefined,
      state: undefined,
    })
  })
})

describe('getStateLabel', () => {
  it.each([
    [{ state: 'queued', attemptCount: 0 }, 'Queued'],
    [{ state: 'queued', attemptCount: 1 }, 'Retrying'],
    [{ state: 'failed' }, 'Failed'],
    [{ state: 'failed', canceled: true }, 'Canceled'],
    [{ state: 'unclear' }, 'Unknown'],
  ] as const)('says what %o means', (part, label) => {
    expect(getStateLabel(row(part))).toBe(label)
  })
})

describe('getDestination', () => {
  it('shows hosts, addresses, and the app of a channel', () => {
    expect(getDestination(row({}))).toBe('hooks.example.com')
    expect(getDestination(row({ destination: 'sam@example.com' }))).toBe('sam@example.com')
    const subject = { text: 'Post about a review', chatApp: 'slack' }
    expect(getDestination(row({ destination: 'C024BE7LR', subject }))).toBe('Slack · C024BE7LR')
  })
})

describe('getContext', () => {
  it('has the kind of webhook, the file, the review type, and the agent', () => {
    const subject = { text: 'x', target: 'tool', formName: 'Newsletter', agentId: 'agt_1' } as const
    const names = new Map([['agt_1', 'Writer']])
    expect(getContext(row({ subject }), names)).toBe('Tool webhook · Newsletter · Writer')
    expect(getContext(row({ subject: { text: 'x', url: 'https://cdn.example.com/a/b.png' } }), names)).toBe(
      'b.png',
    )
  })
})
