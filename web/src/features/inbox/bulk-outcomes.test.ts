// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { ApiError } from '@/api/client'
import { canRetry, countOutcomes, decideEach, getOutcome, type Outcome } from './bulk-outcomes'

const refusal = (status: number, problem: Record<string, unknown>) => new ApiError(status, problem)

describe('getOutcome', () => {
  const decided = {
    code: 'already_responded',
    response: 'rejected',
    respondingUser: 'ann@example.com',
    respondingUserId: 'usr_ann',
    respondedAt: '2026-11-15T10:00:00.000Z',
  }
  const errors = [{ path: 'data.amount', code: 'missing', message: 'is needed' }]

  it.each<[string, unknown, Outcome, boolean]>([
    [
      'somebody was faster',
      refusal(409, decided),
      { kind: 'decided', response: 'rejected', by: 'ann@example.com', at: decided.respondedAt },
      false,
    ],
    ['the content was replaced', refusal(409, { code: 'content_replaced' }), { kind: 'replaced' }, false],
    [
      'a value is missing',
      refusal(422, { errors, detail: 'There is 1 error.' }),
      { kind: 'invalid', errors, message: 'There is 1 error.' },
      false,
    ],
    [
      'it is for others',
      refusal(403, { code: 'not_assigned', detail: 'Only they may.' }),
      { kind: 'failed', message: 'Only they may.', isRetryable: false },
      false,
    ],
    [
      'no answer',
      refusal(0, { code: 'network', detail: 'No answer.' }),
      { kind: 'failed', message: 'No answer.', isRetryable: true },
      true,
    ],
    [
      'busy',
      refusal(503, { detail: 'Busy.' }),
      { kind: 'failed', message: 'Busy.', isRetryable: true },
      true,
    ],
    [
      'anything else',
      new TypeError('x'),
      { kind: 'failed', message: 'Something went wrong. Try again.', isRetryable: true },
      true,
    ],
  ])('%s', (_name, error, outcome, again) => {
    expect(getOutcome(error)).toEqual(outcome)
    expect(canRetry(outcome)).toBe(again)
  })
})

describe('decideEach', () => {
  const ids = Array.from({ length: 11 }, (_, index) => `r${index}`)

  it('decides every one, four at a time', async () => {
    let underWay = 0
    let most = 0
    const told: Record<string, string[]> = {}
    await decideEach(
      ids,
      async id => {
        underWay += 1
        most = Math.max(most, underWay)
        await Promise.resolve()
        underWay -= 1
        return id === 'r3' ? { kind: 'replaced' } : { kind: 'done' }
      },
      (id, outcome) => {
        told[id] = [...(told[id] ?? []), outcome.kind]
      },
      new AbortController().signal,
    )
    expect(most).toBe(4)
    expect(Object.keys(told)).toHaveLength(11)
    expect(told.r3).toEqual(['sending', 'replaced'])
    expect(told.r10).toEqual(['sending', 'done'])
  })

  it('stops without breaking off what is under way', async () => {
    const stop = new AbortController()
    const outcomes = new Map<string, Outcome>(ids.map(id => [id, { kind: 'waiting' }]))
    await decideEach(
      ids,
      async id => {
        if (id === 'r1') stop.abort()
        await Promise.resolve()
        return { kind: 'done' }
      },
      (id, outcome) => outcomes.set(id, outcome),
      stop.signal,
    )
    const { done, open, total } = countOutcomes(outcomes)
    expect(total).toBe(11)
    expect(done).toBeGreaterThanOrEqual(2)
    expect(done).toBeLessThanOrEqual(4)
    expect(done + open).toBe(11)
    expect([...outcomes.values()].some(outcome => outcome.kind === 'sending')).toBe(false)
  })
})
